/* SPDX-License-Identifier: 0BSD */
/* RELU6, int8: codes are limited to a range. */
#ifndef INGOT_CLAMP_S8_H
#define INGOT_CLAMP_S8_H

#include "support/platform.h"

typedef struct {
    int32_t size;       /* number of elements */
    int32_t output_min; /* lowest output code */
    int32_t output_max; /* highest output code */
} ingot_clamp_s8_desc_t;

/* input, output: size elements; they may be the same place. Returns 0. */
int32_t ingot_kernel_clamp_s8(const ingot_clamp_s8_desc_t *d, const int8_t *input, int8_t *output);

#endif
