/* SPDX-License-Identifier: 0BSD */
#include "clamp_s8.h"

#include "support/clamp.h"

int32_t ingot_kernel_clamp_s8(const ingot_clamp_s8_desc_t *d, const int8_t *input, int8_t *output)
{
    for (int32_t i = 0; i < d->size; ++i) {
        output[i] = (int8_t)ingot_clamp(input[i], d->output_min, d->output_max);
    }
    return 0;
}
