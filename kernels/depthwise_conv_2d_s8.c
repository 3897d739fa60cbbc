/* SPDX-License-Identifier: 0BSD */
#include "depthwise_conv_2d_s8.h"

#include "support/in_order.h"
#include "support/requantize_s8.h"
#include "support/tap_range.h"

/* Output channels that are summed side by side. */
#define INGOT_DEPTHWISE_CONV_2D_S8_BLOCK 16

/* The part of one window that lies inside of the input. */
typedef struct {
    int32_t top;  /* input row of the first tap, may be negative */
    int32_t left; /* its column */
    int32_t row;  /* first row of taps inside */
    int32_t row_end;
    int32_t column; /* first column of taps inside */
    int32_t column_end;
} ingot_depthwise_conv_2d_s8_window_t;

/* Adds one tap to `count` sums of output channels from `first`. */
static void ingot_depthwise_conv_2d_s8_tap(const ingot_depthwise_conv_2d_s8_desc_t *d,
                                           const int8_t *pixel, const int8_t *w, int32_t first,
                                           int32_t count, uint32_t *acc)
{
    const int32_t offset = d->input_offset;
    int32_t i;
    if (d->depth_multiplier == 1) {
        const int8_t *x = pixel + first;
        for (i = 0; i < count; ++i) {
            acc[i] += (uint32_t)((x[i] + offset) * w[i]);
        }
    } else {
        int32_t channel = first / d->depth_multiplier;
        int32_t left = (channel + 1) * d->depth_multiplier - first;
        for (i = 0; i < count; ++i) {
            acc[i] += (uint32_t)((pixel[channel] + offset) * w[i]);
            if (--left == 0) {
                ++channel;
                left = d->depth_multiplier;
            }
        }
    }
}

/* Sums `count` output channels from `first` over a window; acc holds their start values. */
static void ingot_depthwise_conv_2d_s8_taps(const ingot_depthwise_conv_2d_s8_desc_t *d,
                                            const ingot_depthwise_conv_2d_s8_window_t *window,
                                            const int8_t *image, const int8_t *weights,
                                            int32_t first, int32_t count, uint32_t *acc)
{
    int32_t ky;
    int32_t kx;
    for (ky = window->row; ky < window->row_end; ++ky) {
        const int32_t y = window->top + ky * d->dilation_height;
        for (kx = window->column; kx < window->column_end; ++kx) {
            const int32_t x = window->left + kx * d->dilation_width;
            ingot_depthwise_conv_2d_s8_tap(
                d, image + (y * d->input_width + x) * d->input_channels,
                weights + (ky * d->filter_width + kx) * d->output_channels + first, first, count,
                acc);
        }
    }
}

/* The output channels of one pixel from `first` on, a block of them at most. */
static void ingot_depthwise_conv_2d_s8_block(const ingot_depthwise_conv_2d_s8_desc_t *d,
                                             const ingot_depthwise_conv_2d_s8_window_t *window,
                                             const int8_t *image, const int8_t *weights,
                                             const int32_t *bias, const int32_t *multiplier,
                                             const int32_t *shift, int32_t first, int8_t *output)
{
    const int32_t left = d->output_channels - first;
    const int32_t count =
        left < INGOT_DEPTHWISE_CONV_2D_S8_BLOCK ? left : INGOT_DEPTHWISE_CONV_2D_S8_BLOCK;
    uint32_t acc[INGOT_DEPTHWISE_CONV_2D_S8_BLOCK];
    int32_t i;
    for (i = 0; i < count; ++i) {
        acc[i] = bias == NULL ? 0U : (uint32_t)bias[first + i];
    }
    ingot_depthwise_conv_2d_s8_taps(d, window, image, weights, first, count, acc);
    for (i = 0; i < count; ++i) {
        output[first + i] =
            ingot_requantize_s8((int32_t)acc[i], multiplier[first + i], shift[first + i],
                                d->output_offset, d->activation_min, d->activation_max);
    }
}

/* All output channels of one pixel. */
static void ingot_depthwise_conv_2d_s8_pixel(const ingot_depthwise_conv_2d_s8_desc_t *d,
                                             const ingot_depthwise_conv_2d_s8_window_t *window,
                                             const int8_t *image, const int8_t *weights,
                                             const int32_t *bias, const int32_t *multiplier,
                                             const int32_t *shift, int8_t *output)
{
    const int32_t size = INGOT_DEPTHWISE_CONV_2D_S8_BLOCK;
    int32_t first;
    if (d->backwards) {
        for (first = (d->output_channels - 1) / size * size; first >= 0; first -= size) {
            ingot_depthwise_conv_2d_s8_block(d, window, image, weights, bias, multiplier, shift,
                                             first, output);
        }
    } else {
        for (first = 0; first < d->output_channels; first += size) {
            ingot_depthwise_conv_2d_s8_block(d, window, image, weights, bias, multiplier, shift,
                                             first, output);
        }
    }
}

int32_t ingot_kernel_depthwise_conv_2d_s8(const ingot_depthwise_conv_2d_s8_desc_t *d,
                                          const int8_t *input, const int8_t *INGOT_RESTRICT weights,
                                          const int32_t *INGOT_RESTRICT bias,
                                          const int32_t *INGOT_RESTRICT multiplier,
                                          const int32_t *INGOT_RESTRICT shift, int8_t *output)
{
    ingot_depthwise_conv_2d_s8_window_t window;
    int32_t i;
    int32_t j;
    int32_t k;
    for (i = 0; i < d->batches; ++i) {
        const int32_t batch = ingot_in_order(i, d->batches, d->backwards);
        const int8_t *image = input + batch * d->input_height * d->input_width * d->input_channels;
        for (j = 0; j < d->output_height; ++j) {
            const int32_t y = ingot_in_order(j, d->output_height, d->backwards);
            window.top = y * d->stride_height - d->pad_top;
            ingot_tap_range(window.top, d->filter_height, d->dilation_height, d->input_height,
                            &window.row, &window.row_end);
            for (k = 0; k < d->output_width; ++k) {
                const int32_t x = ingot_in_order(k, d->output_width, d->backwards);
                const int32_t pixel = (batch * d->output_height + y) * d->output_width + x;
                window.left = x * d->stride_width - d->pad_left;
                ingot_tap_range(window.left, d->filter_width, d->dilation_width, d->input_width,
                                &window.column, &window.column_end);
                ingot_depthwise_conv_2d_s8_pixel(d, &window, image, weights, bias, multiplier,
                                                 shift, output + pixel * d->output_channels);
            }
        }
    }
    return 0;
}
