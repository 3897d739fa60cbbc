/* Custom operators that write down what they are called with, and fill their outputs with bytes
 * that depend on every input byte. A variable is counted up, so that state can be seen to be
 * carried.
 *
 * program INPUTS RUNS [STATUS]: INPUTS is a file with RUNS times the bytes of all inputs; operator
 * 4 returns STATUS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net_model.h"

static int32_t status_of_4 = net_status_ok;

static void describe(const char* kind, const net_operand_t* operand) {
    size_t i;

    printf(" %s type %d size %lu shape [", kind, (int)operand->type, (unsigned long)operand->size);
    for (i = 0; i < operand->rank; i++) {
        printf("%s%ld", i == 0 ? "" : ", ", (long)operand->shape[i]);
    }
    printf("] axis %ld scales", (long)operand->axis);
    for (i = 0; i < operand->num_scales; i++) {
        printf(" %g/%ld", (double)operand->scales[i], (long)operand->zero_points[i]);
    }
    if (kind[0] == 'i') {
        printf(" data");
        if (operand->data == NULL) {
            printf(" null");
        }
        for (i = 0; i < operand->size; i++) {
            printf(" %u", (unsigned)((const uint8_t*)operand->data)[i]);
        }
    }
    printf("\n");
}

/* `stateful`: the last input is a variable. */
static int32_t perform(const char* name, const net_operator_call_t* call, int stateful) {
    unsigned sum = (unsigned)call->op;
    size_t i;
    size_t k;

    printf("%s operator %ld options", name, (long)call->op);
    for (i = 0; i < call->options_size; i++) {
        printf(" %u", (unsigned)call->options[i]);
    }
    printf("\n");
    for (k = 0; k < call->num_inputs; k++) {
        describe("input", &call->inputs[k]);
        for (i = 0; i < call->inputs[k].size; i++) {
            sum += ((const uint8_t*)call->inputs[k].data)[i] * (unsigned)(i + 1);
        }
    }
    if (stateful) {
        uint8_t* state = (uint8_t*)call->inputs[call->num_inputs - 1].data;

        for (i = 0; i < call->inputs[call->num_inputs - 1].size; i++) {
            state[i] = (uint8_t)(state[i] + 1U);
        }
    }
    for (k = 0; k < call->num_outputs; k++) {
        uint8_t* data = (uint8_t*)call->outputs[k].data;

        describe("output", &call->outputs[k]);
        for (i = 0; i < call->outputs[k].size; i++) {
            data[i] = (uint8_t)(sum + 31U * (unsigned)i + 7U * (unsigned)k);
        }
    }
    return net_status_ok;
}

int32_t net_custom_any__thing(net_model_context_t* ctx, const net_operator_call_t* call) {
    return ctx == NULL ? 1 : perform("any::thing", call, call->op == 0);
}

int32_t net_custom__3_run(net_model_context_t* ctx, const net_operator_call_t* call) {
    (void)ctx;
    return perform("3_run", call, 0);
}

#ifndef MISSING
int32_t net_custom_class(net_model_context_t* ctx, const net_operator_call_t* call) {
    (void)ctx;
    (void)perform("class", call, 0);
    return status_of_4;
}
#endif

static net_model_context_t context;

int main(int argc, char** argv) {
    FILE* stream = argc > 2 ? fopen(argv[1], "rb") : NULL;
    const int runs = argc > 2 ? atoi(argv[2]) : 0;
    int32_t status = net_model_init(&context);
    int run;

    if (argc > 3) {
        status_of_4 = (int32_t)atol(argv[3]);
    }
    for (run = 0; run < runs && status == net_status_ok && stream != NULL; run++) {
        int i;

        for (i = 0; i < net_num_inputs; i++) {
            if (fread(context.inputs[i].data, 1, context.inputs[i].size, stream) !=
                context.inputs[i].size) {
                return 3;
            }
        }
        status = net_model_run(&context);
        for (i = 0; i < net_num_outputs && status == net_status_ok; i++) {
            size_t k;

            printf("result");
            for (k = 0; k < context.outputs[i].size; k++) {
                printf(" %u", (unsigned)((const uint8_t*)context.outputs[i].data)[k]);
            }
            printf("\n");
        }
    }
    if (stream != NULL) {
        fclose(stream);
    }
    printf("status %ld\n", (long)status);
    return 0;
}
