/* SPDX-License-Identifier: 0BSD */
#include "fc_per_channel_packed_s8.h"

#include "support/dot_s8.h"
#include "support/load_s32.h"
#include "support/requantize_s8.h"

int32_t ingot_kernel_fc_per_channel_packed_s8(const ingot_fc_per_channel_packed_s8_desc_t *d,
                                              const int8_t *input,
                                              const int8_t *INGOT_RESTRICT packed, int8_t *output)
{
    const int32_t row_size = d->depth + 12;
    int32_t batch;
    int32_t o;
    for (batch = 0; batch < d->batches; ++batch) {
        const int8_t *x = input + batch * d->depth;
        for (o = 0; o < d->outputs; ++o) {
            const int8_t *row = packed + o * row_size;
            const int8_t *tail = row + d->depth;
            const uint32_t acc =
                (uint32_t)ingot_load_s32(tail) + ingot_dot_s8(x, row, d->depth, 0, 0);
            *output++ = ingot_requantize_s8((int32_t)acc, ingot_load_s32(tail + 4),
                                            ingot_load_s32(tail + 8), d->output_offset,
                                            d->activation_min, d->activation_max);
        }
    }
    return 0;
}
