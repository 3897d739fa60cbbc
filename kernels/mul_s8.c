/* SPDX-License-Identifier: 0BSD */
#include "mul_s8.h"

#include "support/next_position.h"
#include "support/requantize_s8.h"

/* One output code. */
static int8_t ingot_mul_s8_element(const ingot_mul_s8_desc_t *d, int8_t code_1, int8_t code_2)
{
    const int32_t product = (code_1 + d->input_1_offset) * (code_2 + d->input_2_offset);
    return ingot_requantize_s8(product, d->output_multiplier, d->output_shift, d->output_offset,
                               d->activation_min, d->activation_max);
}

int32_t ingot_kernel_mul_s8(const ingot_mul_s8_desc_t *d, const int8_t *input_1,
                            const int8_t *input_2, int8_t *output)
{
    const int32_t outer = d->rank - 1;
    const int32_t stride_1 = d->strides_1[outer];
    const int32_t stride_2 = d->strides_2[outer];
    int32_t index_1[8] = {0};
    int32_t index_2[8] = {0};
    int32_t offset_1 = 0;
    int32_t offset_2 = 0;
    while (offset_1 >= 0) {
        for (int32_t i = 0; i < d->sizes[outer]; ++i) {
            *output++ = ingot_mul_s8_element(d, input_1[offset_1 + i * stride_1],
                                             input_2[offset_2 + i * stride_2]);
        }
        offset_1 = ingot_next_position(outer, d->sizes, d->strides_1, index_1, offset_1);
        offset_2 = ingot_next_position(outer, d->sizes, d->strides_2, index_2, offset_2);
    }
    return 0;
}
