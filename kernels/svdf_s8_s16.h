/* SPDX-License-Identifier: 0BSD */
/* SVDF, int8 with int16 state and time weights: a filter of rank one or more over time. */
#ifndef INGOT_SVDF_S8_S16_H
#define INGOT_SVDF_S8_S16_H

#include "support/platform.h"

typedef struct {
    int32_t batches;           /* number of input vectors */
    int32_t input_size;        /* length of an input vector */
    int32_t units;             /* outputs of a batch; there are units * rank filters */
    int32_t rank;              /* filters added up for one output */
    int32_t memory_size;       /* inputs that a filter remembers, above 0 */
    int32_t state_multiplier;  /* of feature sums, to state codes */
    int32_t state_shift;       /* exponent of the state multiplier */
    int32_t state_offset;      /* zero point of the state */
    int32_t output_multiplier; /* of sums over time, to output codes */
    int32_t output_shift;      /* exponent of the output multiplier */
    int32_t output_offset;     /* zero point of the output */
} ingot_svdf_s8_s16_desc_t;

/* input: batches x input_size; feature_weights: filters x input_size; time_weights: filters x
 * memory_size; bias: units, or null; weight_sum: filters, minus the input's zero point times
 * the sum of the filter's feature weights; state: batches x filters x memory_size, oldest
 * first, updated; output: batches x units. Returns 0. */
int32_t ingot_kernel_svdf_s8_s16(const ingot_svdf_s8_s16_desc_t *d, const int8_t *input,
                                 const int8_t *INGOT_RESTRICT feature_weights,
                                 const int16_t *INGOT_RESTRICT time_weights,
                                 const int32_t *INGOT_RESTRICT bias,
                                 const int32_t *INGOT_RESTRICT weight_sum, int16_t *state,
                                 int8_t *output);

#endif
