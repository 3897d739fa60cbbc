/* SPDX-License-Identifier: 0BSD */
/* QUANTIZE and RELU, int8 to int8: codes move to another scale and zero point. */
#ifndef INGOT_REQUANTIZE_S8_S8_H
#define INGOT_REQUANTIZE_S8_S8_H

#include "support/platform.h"

typedef struct {
    int32_t size;              /* number of elements */
    int32_t input_zero_point;  /* code of 0 in the input */
    int32_t multiplier;        /* ratio of the scales: multiplier * 2^(shift - 31) */
    int32_t shift;             /* exponent of the multiplier */
    int32_t output_zero_point; /* code of 0 in the output */
    int32_t output_min;        /* lowest output code */
    int32_t output_max;        /* highest output code */
} ingot_requantize_s8_s8_desc_t;

/* input, output: size elements; they may be the same place. Returns 0. */
int32_t ingot_kernel_requantize_s8_s8(const ingot_requantize_s8_s8_desc_t *d, const int8_t *input,
                                      int8_t *output);

#endif
