/* SPDX-License-Identifier: 0BSD */
#include "fully_connected_s8.h"

#include "support/dot_s8.h"
#include "support/requantize_s8.h"

int32_t ingot_kernel_fully_connected_s8(const ingot_fully_connected_s8_desc_t *d,
                                        const int8_t *input, const int8_t *INGOT_RESTRICT weights,
                                        const int32_t *INGOT_RESTRICT sum, int8_t *output)
{
    int32_t batch;
    int32_t o;
    for (batch = 0; batch < d->batches; ++batch) {
        const int8_t *x = input + batch * d->depth;
        for (o = 0; o < d->outputs; ++o) {
            uint32_t acc = sum == NULL ? 0U : (uint32_t)sum[o];
            acc += ingot_dot_s8(x, weights + o * d->depth, d->depth, d->input_offset,
                                d->filter_offset);
            *output++ = ingot_requantize_s8((int32_t)acc, d->multiplier, d->shift, d->output_offset,
                                            d->activation_min, d->activation_max);
        }
    }
    return 0;
}
