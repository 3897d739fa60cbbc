/* SPDX-License-Identifier: 0BSD */
/* MUL, int8, with broadcasting. */
#ifndef INGOT_MUL_S8_H
#define INGOT_MUL_S8_H

#include "support/platform.h"

/* Dimensions are those of the output, outermost first; neighbours that both inputs walk
 * through evenly are one. */
typedef struct {
    int32_t rank;              /* number of dimensions, 1..8 */
    int32_t sizes[8];          /* length of each dimension, above 0 */
    int32_t strides_1[8];      /* step in input 1 along each dimension; 0 where it repeats */
    int32_t strides_2[8];      /* step in input 2 along each dimension; 0 where it repeats */
    int32_t input_1_offset;    /* added to input 1: its zero point, negated */
    int32_t input_2_offset;    /* added to input 2: its zero point, negated */
    int32_t output_multiplier; /* of the product, to output codes */
    int32_t output_shift;      /* exponent of the output multiplier */
    int32_t output_offset;     /* zero point of the output */
    int32_t activation_min;    /* lowest output code */
    int32_t activation_max;    /* highest output code */
} ingot_mul_s8_desc_t;

/* output: the product of sizes; it may be the place of an input that does not repeat.
 * Returns 0. */
int32_t ingot_kernel_mul_s8(const ingot_mul_s8_desc_t *d, const int8_t *input_1,
                            const int8_t *input_2, int8_t *output);

#endif
