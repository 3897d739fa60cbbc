/* SPDX-License-Identifier: 0BSD */
#include "lut_s8.h"

int32_t ingot_kernel_lut_s8(const ingot_lut_s8_desc_t *d, const int8_t *input, const int8_t *table,
                            int8_t *output)
{
    for (int32_t i = 0; i < d->size; ++i) {
        output[i] = table[input[i] + 128];
    }
    return 0;
}
