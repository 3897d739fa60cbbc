/* SPDX-License-Identifier: 0BSD */
#include "conv_2d_s8.h"

#include "support/dot_s8.h"
#include "support/in_order.h"
#include "support/requantize_s8.h"
#include "support/tap_range.h"

/* The part of one window that lies inside of the input. */
typedef struct {
    int32_t top;  /* input row of the first tap, may be negative */
    int32_t left; /* its column */
    int32_t row;  /* first row of taps inside */
    int32_t row_end;
    int32_t column; /* first column of taps inside */
    int32_t column_end;
} ingot_conv_2d_s8_window_t;

/* pad_value times the sum of n weights. */
static uint32_t ingot_conv_2d_s8_padding(const int8_t *w, int32_t n, int32_t pad_value)
{
    int32_t sum = 0;
    int32_t i;
    if (pad_value == 0) {
        return 0;
    }
    for (i = 0; i < n; ++i) {
        sum += w[i];
    }
    return (uint32_t)sum * (uint32_t)pad_value;
}

/* One output channel's sum over a window; `image` begins at the group's first channel. */
static uint32_t ingot_conv_2d_s8_taps(const ingot_conv_2d_s8_desc_t *d,
                                      const ingot_conv_2d_s8_window_t *window, const int8_t *image,
                                      const int8_t *w)
{
    const int32_t row_taps = d->filter_width * d->filter_channels;
    uint32_t acc = ingot_conv_2d_s8_padding(w, window->row * row_taps, d->pad_value);
    int32_t ky;
    int32_t kx;
    w += window->row * row_taps;
    for (ky = window->row; ky < window->row_end; ++ky) {
        const int8_t *line =
            image + (window->top + ky * d->dilation_height) * d->input_width * d->input_channels;
        const int8_t *taps = w + window->column * d->filter_channels;
        acc += ingot_conv_2d_s8_padding(w, window->column * d->filter_channels, d->pad_value);
        if (d->dilation_width == 1 && d->filter_channels == d->input_channels) {
            acc += ingot_dot_s8(line + (window->left + window->column) * d->input_channels, taps,
                                (window->column_end - window->column) * d->filter_channels,
                                d->input_offset, 0);
        } else {
            for (kx = window->column; kx < window->column_end; ++kx) {
                acc += ingot_dot_s8(
                    line + (window->left + kx * d->dilation_width) * d->input_channels,
                    w + kx * d->filter_channels, d->filter_channels, d->input_offset, 0);
            }
        }
        acc += ingot_conv_2d_s8_padding(w + window->column_end * d->filter_channels,
                                        (d->filter_width - window->column_end) * d->filter_channels,
                                        d->pad_value);
        w += row_taps;
    }
    return acc + ingot_conv_2d_s8_padding(w, (d->filter_height - window->row_end) * row_taps,
                                          d->pad_value);
}

/* All output channels of one pixel. */
static void ingot_conv_2d_s8_pixel(const ingot_conv_2d_s8_desc_t *d,
                                   const ingot_conv_2d_s8_window_t *window, const int8_t *image,
                                   const int8_t *weights, const int32_t *sum,
                                   const int32_t *multiplier, const int32_t *shift, int8_t *output)
{
    const int32_t channel_taps = d->filter_height * d->filter_width * d->filter_channels;
    int32_t i;
    for (i = 0; i < d->output_channels; ++i) {
        const int32_t c = ingot_in_order(i, d->output_channels, d->backwards);
        const int8_t *group = image + (c / d->group_outputs) * d->filter_channels;
        const uint32_t acc = (sum == NULL ? 0U : (uint32_t)sum[c]) +
                             ingot_conv_2d_s8_taps(d, window, group, weights + c * channel_taps);
        output[c] = ingot_requantize_s8((int32_t)acc, multiplier[c], shift[c], d->output_offset,
                                        d->activation_min, d->activation_max);
    }
}

int32_t ingot_kernel_conv_2d_s8(const ingot_conv_2d_s8_desc_t *d, const int8_t *input,
                                const int8_t *INGOT_RESTRICT weights,
                                const int32_t *INGOT_RESTRICT sum,
                                const int32_t *INGOT_RESTRICT multiplier,
                                const int32_t *INGOT_RESTRICT shift, int8_t *output)
{
    ingot_conv_2d_s8_window_t window;
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
                ingot_conv_2d_s8_pixel(d, &window, image, weights, sum, multiplier, shift,
                                       output + pixel * d->output_channels);
            }
        }
    }
    return 0;
}
