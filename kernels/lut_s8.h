/* SPDX-License-Identifier: 0BSD */
/* LOGISTIC, TANH and other functions of one int8 code, by a table made at compile time. */
#ifndef INGOT_LUT_S8_H
#define INGOT_LUT_S8_H

#include "support/platform.h"

typedef struct {
    int32_t size; /* number of elements */
} ingot_lut_s8_desc_t;

/* input, output: size elements; they may be the same place. table: the output code of each input
 * code, -128 first. Returns 0. */
int32_t ingot_kernel_lut_s8(const ingot_lut_s8_desc_t *d, const int8_t *input, const int8_t *table,
                            int8_t *output);

#endif
