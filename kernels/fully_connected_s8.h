/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_FULLY_CONNECTED_S8_H
#define INGOT_FULLY_CONNECTED_S8_H

#include "support/platform.h"

/* Fully connected layer, int8 with one scale for all weights. */
typedef struct {
    int32_t batches;       /* rows of input and output */
    int32_t depth;         /* elements of an input row and of a weight row */
    int32_t outputs;       /* weight rows, elements of an output row */
    int32_t input_offset;  /* added to each input; 0 when folded into sum */
    int32_t filter_offset; /* added to each weight: its zero point, negated */
    int32_t output_offset; /* zero point of the output */
    int32_t multiplier;    /* output scale: multiplier * 2^(shift - 31) */
    int32_t shift;
    int32_t activation_min; /* range of output codes */
    int32_t activation_max;
} ingot_fully_connected_s8_desc_t;

/* input: batches x depth; weights: outputs x depth; sum: bias, with the input's zero point
 * folded in or not, outputs elements, may be null; output: batches x outputs. Returns 0. */
int32_t ingot_kernel_fully_connected_s8(const ingot_fully_connected_s8_desc_t *d,
                                        const int8_t *input, const int8_t *INGOT_RESTRICT weights,
                                        const int32_t *INGOT_RESTRICT sum, int8_t *output);

#endif
