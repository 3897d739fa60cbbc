/* SPDX-License-Identifier: 0BSD */
/* AVERAGE_POOL_2D, int8: the mean of the codes in a window, rounded half away from zero. */
#ifndef INGOT_AVERAGE_POOL_2D_S8_H
#define INGOT_AVERAGE_POOL_2D_S8_H

#include "support/platform.h"

/* Every window has at least one element inside the input. */
typedef struct {
    int32_t batches;        /* number of images */
    int32_t input_height;   /* rows of an input image */
    int32_t input_width;    /* columns of an input image */
    int32_t channels;       /* channels of input and output */
    int32_t output_height;  /* rows of an output image */
    int32_t output_width;   /* columns of an output image */
    int32_t filter_height;  /* rows of the window */
    int32_t filter_width;   /* columns of the window */
    int32_t stride_height;  /* input rows from window to window */
    int32_t stride_width;   /* input columns from window to window */
    int32_t pad_top;        /* rows of the first window above the input */
    int32_t pad_left;       /* columns of the first window left of the input */
    int32_t pad_counts;     /* 1: elements outside the input count, with pad_code; 0: they don't */
    int32_t pad_code;       /* their code */
    int32_t activation_min; /* lowest output code */
    int32_t activation_max; /* highest output code */
    int32_t backwards;      /* 1: from the last output to the first */
} ingot_average_pool_2d_s8_desc_t;

/* input: batches x input_height x input_width x channels; output likewise. The output may
 * lie over the input, as far below it, or backwards above it, as the order permits: pixel by pixel,
 * in a pixel channel by channel. Returns 0. */
int32_t ingot_kernel_average_pool_2d_s8(const ingot_average_pool_2d_s8_desc_t *d,
                                        const int8_t *input, int8_t *output);

#endif
