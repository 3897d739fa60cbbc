/* SPDX-License-Identifier: 0BSD */
/* QUANTIZE, float32 to int8, rounding half away from zero. */
#ifndef INGOT_QUANTIZE_F32_S8_H
#define INGOT_QUANTIZE_F32_S8_H

#include "support/platform.h"

typedef struct {
    int32_t size;       /* number of elements */
    float scale;        /* of the output, above 0 */
    int32_t zero_point; /* code of 0 in the output */
    int32_t output_min; /* lowest output code */
    int32_t output_max; /* highest output code */
} ingot_quantize_f32_s8_desc_t;

/* input, output: size elements. Values beyond the range become its ends, NaN the zero point.
 * Returns 0. */
int32_t ingot_kernel_quantize_f32_s8(const ingot_quantize_f32_s8_desc_t *d, const float *input,
                                     int8_t *output);

#endif
