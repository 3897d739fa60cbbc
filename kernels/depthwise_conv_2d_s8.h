/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_DEPTHWISE_CONV_2D_S8_H
#define INGOT_DEPTHWISE_CONV_2D_S8_H

#include "support/platform.h"

/* Depthwise convolution, int8 with a scale for each output channel. Tensors are NHWC. */
typedef struct {
    int32_t batches;      /* images */
    int32_t input_height; /* size of the input */
    int32_t input_width;
    int32_t input_channels;
    int32_t filter_height; /* taps of the filter */
    int32_t filter_width;
    int32_t output_height; /* size of the output */
    int32_t output_width;
    int32_t output_channels;  /* input_channels * depth_multiplier */
    int32_t depth_multiplier; /* output channels of an input channel, side by side */
    int32_t stride_height;    /* step between windows */
    int32_t stride_width;
    int32_t dilation_height; /* step between taps */
    int32_t dilation_width;
    int32_t pad_top;        /* rows above the input in the first window */
    int32_t pad_left;       /* columns left of it */
    int32_t input_offset;   /* added to each input: its zero point, negated */
    int32_t output_offset;  /* zero point of the output */
    int32_t activation_min; /* range of output codes */
    int32_t activation_max;
    int32_t backwards; /* 1: from the last output to the first */
} ingot_depthwise_conv_2d_s8_desc_t;

/* weights: filter_height x filter_width x output_channels; bias: output_channels elements, may be
 * null; multiplier, shift: output scale of each channel, multiplier * 2^(shift - 31). The output
 * may lie over the input, as far below it, or backwards above it, as the order permits: pixel by
 * pixel, in a pixel 16 channels at a time. Returns 0. */
int32_t ingot_kernel_depthwise_conv_2d_s8(const ingot_depthwise_conv_2d_s8_desc_t *d,
                                          const int8_t *input, const int8_t *INGOT_RESTRICT weights,
                                          const int32_t *INGOT_RESTRICT bias,
                                          const int32_t *INGOT_RESTRICT multiplier,
                                          const int32_t *INGOT_RESTRICT shift, int8_t *output);

#endif
