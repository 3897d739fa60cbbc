/* SPDX-License-Identifier: 0BSD */
/* SOFTMAX over the last dimension, int8 to int16. */
#ifndef INGOT_SOFTMAX_S8_S16_H
#define INGOT_SOFTMAX_S8_S16_H

#include "support/platform.h"

typedef struct {
    int32_t rows;       /* number of vectors */
    int32_t depth;      /* codes in a vector, above 0 */
    int32_t multiplier; /* of differences of codes, to exponents scaled by 2^26 */
    int32_t shift;      /* exponent of the multiplier */
    int32_t diff_min;   /* differences below this count as an exponential of zero */
} ingot_softmax_s8_s16_desc_t;

/* input, output: rows x depth; the output has scale 1/65536 and zero point -32768. Returns 0. */
int32_t ingot_kernel_softmax_s8_s16(const ingot_softmax_s8_s16_desc_t *d, const int8_t *input,
                                    int16_t *output);

#endif
