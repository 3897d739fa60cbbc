/* SPDX-License-Identifier: 0BSD */
#include "dequantize_s8_f32.h"

int32_t ingot_kernel_dequantize_s8_f32(const ingot_dequantize_s8_f32_desc_t *d, const int8_t *input,
                                       float *output)
{
    /* The difference is exact in float, so that the product is rounded only once. */
    for (int32_t i = 0; i < d->size; ++i) {
        output[i] = d->scale * (float)(input[i] - d->zero_point);
    }
    return 0;
}
