/* SPDX-License-Identifier: 0BSD */
/* DEQUANTIZE, int8 to float32. */
#ifndef INGOT_DEQUANTIZE_S8_F32_H
#define INGOT_DEQUANTIZE_S8_F32_H

#include "support/platform.h"

typedef struct {
    int32_t size;       /* number of elements */
    float scale;        /* of the input */
    int32_t zero_point; /* code of 0 in the input */
} ingot_dequantize_s8_f32_desc_t;

/* input, output: size elements. Returns 0. */
int32_t ingot_kernel_dequantize_s8_f32(const ingot_dequantize_s8_f32_desc_t *d, const int8_t *input,
                                       float *output);

#endif
