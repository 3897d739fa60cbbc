/* SPDX-License-Identifier: 0BSD */
#include "softmax_s8_s16.h"

#include "support/clamp.h"
#include "support/softmax.h"

int32_t ingot_kernel_softmax_s8_s16(const ingot_softmax_s8_s16_desc_t *d, const int8_t *input,
                                    int16_t *output)
{
    ingot_softmax_row_t row = {0, 0, 0, 0, 0, 0};
    row.multiplier = d->multiplier;
    row.shift = d->shift;
    row.diff_min = d->diff_min;
    for (int32_t r = 0; r < d->rows; ++r) {
        ingot_softmax_begin_row(&row, input, d->depth);
        for (int32_t i = 0; i < d->depth; ++i) {
            const int32_t exponential = ingot_softmax_exp(&row, input[i]);
            const int32_t share = exponential < 0 ? 0 : ingot_softmax_share(&row, exponential, 16);
            output[i] = (int16_t)ingot_clamp(share + INT16_MIN, INT16_MIN, INT16_MAX);
        }
        input += d->depth;
        output += d->depth;
    }
    return 0;
}
