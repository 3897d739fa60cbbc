/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_FC_PER_CHANNEL_PACKED_S8_H
#define INGOT_FC_PER_CHANNEL_PACKED_S8_H

#include "support/platform.h"

/* Fully connected layer, int8 with a scale for each output, all constants in one array. */
typedef struct {
    int32_t batches;        /* rows of input and output */
    int32_t depth;          /* elements of an input row and of a weight row */
    int32_t outputs;        /* elements of an output row */
    int32_t output_offset;  /* zero point of the output */
    int32_t activation_min; /* range of output codes */
    int32_t activation_max;
} ingot_fc_per_channel_packed_s8_desc_t;

/* input: batches x depth; packed: a row for each output (and up to three of zeros behind them),
 * which is depth weights, then three little-endian int32: sum (bias with the input's zero point
 * folded in), multiplier, shift; output: batches x outputs. Returns 0. */
int32_t ingot_kernel_fc_per_channel_packed_s8(const ingot_fc_per_channel_packed_s8_desc_t *d,
                                              const int8_t *input,
                                              const int8_t *INGOT_RESTRICT packed, int8_t *output);

#endif
