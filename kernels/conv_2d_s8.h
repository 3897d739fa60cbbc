/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_CONV_2D_S8_H
#define INGOT_CONV_2D_S8_H

#include "support/platform.h"

/* Two-dimensional convolution, int8 with a scale for each output channel. Tensors are NHWC. */
typedef struct {
    int32_t batches;      /* images */
    int32_t input_height; /* size of the input */
    int32_t input_width;
    int32_t input_channels;
    int32_t filter_height; /* taps of the filter */
    int32_t filter_width;
    int32_t filter_channels; /* input channels of a group */
    int32_t output_height;   /* size of the output */
    int32_t output_width;
    int32_t output_channels;
    int32_t group_outputs; /* output channels of a group */
    int32_t stride_height; /* step between windows */
    int32_t stride_width;
    int32_t dilation_height; /* step between taps */
    int32_t dilation_width;
    int32_t pad_top;        /* rows above the input in the first window */
    int32_t pad_left;       /* columns left of it */
    int32_t input_offset;   /* added to each input; 0 when folded into sum */
    int32_t pad_value;      /* value of taps outside of the input, offset included */
    int32_t output_offset;  /* zero point of the output */
    int32_t activation_min; /* range of output codes */
    int32_t activation_max;
    int32_t backwards; /* 1: from the last output to the first */
} ingot_conv_2d_s8_desc_t;

/* weights: output_channels x filter_height x filter_width x filter_channels; sum: bias, with the
 * input's zero point folded in or not, may be null; multiplier, shift: output scale of each
 * channel, multiplier * 2^(shift - 31). sum, multiplier and shift have output_channels elements.
 * The output may lie over the input, as far below it, or backwards above it, as the order permits:
 * pixel by pixel, in a pixel channel by channel. Returns 0. */
int32_t ingot_kernel_conv_2d_s8(const ingot_conv_2d_s8_desc_t *d, const int8_t *input,
                                const int8_t *INGOT_RESTRICT weights,
                                const int32_t *INGOT_RESTRICT sum,
                                const int32_t *INGOT_RESTRICT multiplier,
                                const int32_t *INGOT_RESTRICT shift, int8_t *output);

#endif
