/* SPDX-License-Identifier: 0BSD */
#include "quantize_f32_s16.h"

#include "support/quantize_value.h"

int32_t ingot_kernel_quantize_f32_s16(const ingot_quantize_f32_s16_desc_t *d, const float *input,
                                      int16_t *output)
{
    for (int32_t i = 0; i < d->size; ++i) {
        output[i] = (int16_t)ingot_quantize_value(input[i], d->scale, d->zero_point, d->output_min,
                                                  d->output_max);
    }
    return 0;
}
