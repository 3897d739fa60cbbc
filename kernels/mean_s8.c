/* SPDX-License-Identifier: 0BSD */
#include "mean_s8.h"

#include "support/next_position.h"
#include "support/requantize_s8.h"

int32_t ingot_kernel_mean_s8(const ingot_mean_s8_desc_t *d, const int8_t *input, int8_t *output)
{
    int32_t kept_index[8] = {0};
    int32_t reduced_index[8] = {0};
    int32_t kept = 0;
    while (kept >= 0) {
        /* Sums wrap as in the reference. */
        uint32_t sum = (uint32_t)d->sum_offset;
        int32_t reduced = 0;
        while (reduced >= 0) {
            const int32_t code = input[kept + reduced];
            sum += (uint32_t)code;
            reduced = ingot_next_position(d->reduced_rank, d->reduced_sizes, d->reduced_strides,
                                          reduced_index, reduced);
        }
        *output++ = ingot_requantize_s8((int32_t)sum, d->multiplier, d->shift, d->output_offset,
                                        INT8_MIN, INT8_MAX);
        kept = ingot_next_position(d->kept_rank, d->kept_sizes, d->kept_strides, kept_index, kept);
    }
    return 0;
}
