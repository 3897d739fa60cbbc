/* SPDX-License-Identifier: 0BSD */
/* Runs the model once and prints the number of the largest output. */
#include <stdio.h>

#include "net_model.h"

static net_model_context_t context; /* zero, as a static object is */

static size_t largest(const int8_t *values, size_t count)
{
    size_t i;
    size_t best = 0U;

    for (i = 1U; i < count; i++) {
        if (values[i] > values[best]) {
            best = i;
        }
    }
    return best;
}

int main(void)
{
    size_t i;
    int32_t status = net_model_init(&context);

    if (status == net_status_ok) {
        for (i = 0U; i < context.inputs[0].size; i++) {
            context.inputs[0].data[i] = (int8_t)((int)(i % 255U) - 127); /* your samples */
        }
        status = net_model_run(&context);
    }
    if (status != net_status_ok) {
        printf("status %ld\n", (long)status);
        return 1;
    }
    printf("class %u\n", (unsigned)largest(context.outputs[0].data, context.outputs[0].size));
    return 0;
}
