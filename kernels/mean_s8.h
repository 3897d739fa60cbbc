/* SPDX-License-Identifier: 0BSD */
/* MEAN, int8, over any dimensions. */
#ifndef INGOT_MEAN_S8_H
#define INGOT_MEAN_S8_H

#include "support/platform.h"

typedef struct {
    int32_t kept_rank;          /* number of dimensions that stay, 0..8 */
    int32_t kept_sizes[8];      /* length of each, outermost first, above 0 */
    int32_t kept_strides[8];    /* step in the input along each */
    int32_t reduced_rank;       /* number of dimensions to average over, 0..8 */
    int32_t reduced_sizes[8];   /* length of each, outermost first, above 0 */
    int32_t reduced_strides[8]; /* step in the input along each */
    int32_t sum_offset;         /* added to each sum: minus the input zero point of every term */
    int32_t multiplier;         /* of a sum, to output codes, division by the count included */
    int32_t shift;              /* exponent of the multiplier */
    int32_t output_offset;      /* zero point of the output */
} ingot_mean_s8_desc_t;

/* output: the product of kept_sizes. Returns 0. */
int32_t ingot_kernel_mean_s8(const ingot_mean_s8_desc_t *d, const int8_t *input, int8_t *output);

#endif
