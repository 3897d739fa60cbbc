/* SPDX-License-Identifier: 0BSD */
#include "requantize_u8_u8.h"

#include "support/requantize_code.h"

int32_t ingot_kernel_requantize_u8_u8(const ingot_requantize_u8_u8_desc_t *d, const uint8_t *input,
                                      uint8_t *output)
{
    const ingot_requantize_code_t q = {d->input_zero_point,  d->multiplier, d->shift,
                                       d->output_zero_point, d->output_min, d->output_max};
    for (int32_t i = 0; i < d->size; ++i) {
        output[i] = (uint8_t)ingot_requantize_code(&q, input[i]);
    }
    return 0;
}
