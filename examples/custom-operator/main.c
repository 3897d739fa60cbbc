/* Runs the model on three signals and prints what comes out, one line each. */
#include <stdio.h>

#include "aot_model.h"

static aot_model_context_t context;

int main(void)
{
    int32_t status = aot_model_init(&context);
    int run;

    for (run = 0; (run < 3) && (status == aot_status_ok); run++) {
        size_t i;

        for (i = 0; i < context.inputs[0].size; i++) {
            context.inputs[0].data[i] =
                (int8_t)(((int)i * (37 + (50 * run)) + (11 * run)) % 256 - 128);
        }
        status = aot_model_run(&context);
        for (i = 0; (i < context.outputs[0].size) && (status == aot_status_ok); i++) {
            printf("%s%d", (i == 0U) ? "" : " ", (int)context.outputs[0].data[i]);
        }
        printf("\n");
    }
    if (status != aot_status_ok) {
        fprintf(stderr, "status %ld\n", (long)status);
    }
    return (status == aot_status_ok) ? 0 : 1;
}
