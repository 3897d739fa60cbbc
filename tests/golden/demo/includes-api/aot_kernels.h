/* SPDX-License-Identifier: 0BSD */
/* aot_kernels.h: the kernels that module demo uses. Internal. */
#ifndef AOT_KERNELS_H
#define AOT_KERNELS_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AVERAGE_POOL_2D, int8: the mean of the codes in a window, rounded half away from zero. */

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
} aot_average_pool_2d_s8_desc_t;

/* input: batches x input_height x input_width x channels; output likewise. The output may
 * lie over the input, as far below it, or backwards above it, as the order permits: pixel by pixel,
 * in a pixel channel by channel. Returns 0. */
int32_t aot_kernel_average_pool_2d_s8(const aot_average_pool_2d_s8_desc_t *d,
                                      const int8_t *input, int8_t *output);

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
} aot_conv_2d_s8_desc_t;

/* weights: output_channels x filter_height x filter_width x filter_channels; sum: bias, with the
 * input's zero point folded in or not, may be null; multiplier, shift: output scale of each
 * channel, multiplier * 2^(shift - 31). sum, multiplier and shift have output_channels elements.
 * The output may lie over the input, as far below it, or backwards above it, as the order permits:
 * pixel by pixel, in a pixel channel by channel. Returns 0. */
int32_t aot_kernel_conv_2d_s8(const aot_conv_2d_s8_desc_t *d, const int8_t *input,
                              const int8_t *AOT_RESTRICT weights,
                              const int32_t *AOT_RESTRICT sum,
                              const int32_t *AOT_RESTRICT multiplier,
                              const int32_t *AOT_RESTRICT shift, int8_t *output);

/* Fully connected layer, int8 with a scale for each output, all constants in one array. */
typedef struct {
    int32_t batches;        /* rows of input and output */
    int32_t depth;          /* elements of an input row and of a weight row */
    int32_t outputs;        /* elements of an output row */
    int32_t output_offset;  /* zero point of the output */
    int32_t activation_min; /* range of output codes */
    int32_t activation_max;
} aot_fc_per_channel_packed_s8_desc_t;

/* input: batches x depth; packed: a row for each output (and up to three of zeros behind them),
 * which is depth weights, then three little-endian int32: sum (bias with the input's zero point
 * folded in), multiplier, shift; output: batches x outputs. Returns 0. */
int32_t aot_kernel_fc_per_channel_packed_s8(const aot_fc_per_channel_packed_s8_desc_t *d,
                                            const int8_t *input,
                                            const int8_t *AOT_RESTRICT packed, int8_t *output);

/* MAX_POOL_2D, int8: the highest code in a window. */

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
} aot_max_pool_2d_s8_desc_t;

/* input: batches x input_height x input_width x channels; output likewise. The output may
 * lie over the input, as far below it, or backwards above it, as the order permits: pixel by pixel,
 * in a pixel channel by channel. Returns 0. */
int32_t aot_kernel_max_pool_2d_s8(const aot_max_pool_2d_s8_desc_t *d, const int8_t *input,
                                  int8_t *output);

/* SOFTMAX over the last dimension, int8 to int8. */

typedef struct {
    int32_t rows;       /* number of vectors */
    int32_t depth;      /* codes in a vector, above 0 */
    int32_t multiplier; /* of differences of codes, to exponents scaled by 2^26 */
    int32_t shift;      /* exponent of the multiplier */
    int32_t diff_min;   /* differences below this count as an exponential of zero */
} aot_softmax_s8_desc_t;

/* input, output: rows x depth; the output has scale 1/256 and zero point -128. Returns 0. */
int32_t aot_kernel_softmax_s8(const aot_softmax_s8_desc_t *d, const int8_t *input,
                              int8_t *output);

/* SVDF, int8 with int8 state and time weights: a filter of rank one or more over time. */

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
} aot_svdf_s8_desc_t;

/* input: batches x input_size; feature_weights: filters x input_size; time_weights: filters x
 * memory_size; bias: units, or null; weight_sum: filters, minus the input's zero point times
 * the sum of the filter's feature weights; state: batches x filters x memory_size, oldest
 * first, updated; output: batches x units. Returns 0. */
int32_t aot_kernel_svdf_s8(const aot_svdf_s8_desc_t *d, const int8_t *input,
                           const int8_t *AOT_RESTRICT feature_weights,
                           const int8_t *AOT_RESTRICT time_weights,
                           const int32_t *AOT_RESTRICT bias,
                           const int32_t *AOT_RESTRICT weight_sum, int8_t *state,
                           int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
