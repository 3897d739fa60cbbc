/* The application's part of the model: operator acme.MovingAverage. Its options are one int32, the
 * width of the window; each output element is the mean of the window around it, rounded half up,
 * where what lies outside of the signal counts as the nearest element. */
#include <string.h>

#include "aot_model.h"

enum { WRONG_OPERANDS = aot_status_custom_first + 1, WRONG_WINDOW };

static int32_t floor_divide(int32_t a, int32_t b)
{
    return (a >= 0) ? (a / b) : -((b - 1 - a) / b);
}

int32_t aot_custom_acme_MovingAverage(aot_model_context_t *ctx, const aot_operator_call_t *call)
{
    const int8_t *signal;
    int8_t *smooth;
    int32_t window = 0;
    int32_t length;
    int32_t i;

    (void)ctx;
    if ((call->num_inputs != 1U) || (call->num_outputs != 1U) ||
        (call->inputs[0].type != aot_operand_type_int8) ||
        (call->inputs[0].size != call->outputs[0].size)) {
        return WRONG_OPERANDS;
    }
    if (call->options_size == sizeof(window)) {
        (void)memcpy(&window, call->options, sizeof(window)); /* options have no alignment */
    }
    if ((window < 1) || ((window % 2) == 0)) {
        return WRONG_WINDOW;
    }
    signal = (const int8_t *)call->inputs[0].data;
    smooth = (int8_t *)call->outputs[0].data;
    length = (int32_t)call->inputs[0].size;
    for (i = 0; i < length; i++) {
        int32_t sum = 0;
        int32_t k;

        for (k = i - (window / 2); k <= (i + (window / 2)); k++) {
            const int32_t at = (k < 0) ? 0 : ((k < length) ? k : (length - 1));

            sum += signal[at];
        }
        smooth[i] = (int8_t)floor_divide((2 * sum) + window, 2 * window);
    }
    return aot_status_ok;
}
