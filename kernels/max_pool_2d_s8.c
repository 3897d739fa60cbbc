/* SPDX-License-Identifier: 0BSD */
#include "max_pool_2d_s8.h"

#include "support/clamp.h"
#include "support/tap_range.h"

/* One output pixel: the highest of `rows` x `columns` input pixels from `corner` on, a channel
 * at a time. */
static void ingot_max_pool_2d_s8_pixel(const ingot_max_pool_2d_s8_desc_t *d, const int8_t *corner,
                                       int32_t rows, int32_t columns, int8_t *output)
{
    int32_t c;
    int32_t y;
    int32_t x;
    for (c = 0; c < d->channels; ++c) {
        int32_t highest = INT8_MIN;
        for (y = 0; y < rows; ++y) {
            for (x = 0; x < columns; ++x) {
                const int32_t code = corner[(y * d->input_width + x) * d->channels + c];
                highest = code > highest ? code : highest;
            }
        }
        output[c] = (int8_t)ingot_clamp(highest, d->activation_min, d->activation_max);
    }
}

int32_t ingot_kernel_max_pool_2d_s8(const ingot_max_pool_2d_s8_desc_t *d, const int8_t *input,
                                    int8_t *output)
{
    int32_t batch;
    int32_t y;
    int32_t x;
    for (batch = 0; batch < d->batches; ++batch) {
        for (y = 0; y < d->output_height; ++y) {
            const int32_t top = y * d->stride_height - d->pad_top;
            int32_t row;
            int32_t row_end;
            ingot_tap_range(top, d->filter_height, 1, d->input_height, &row, &row_end);
            for (x = 0; x < d->output_width; ++x) {
                const int32_t left = x * d->stride_width - d->pad_left;
                int32_t column;
                int32_t column_end;
                ingot_tap_range(left, d->filter_width, 1, d->input_width, &column, &column_end);
                ingot_max_pool_2d_s8_pixel(
                    d, input + ((top + row) * d->input_width + left + column) * d->channels,
                    row_end - row, column_end - column, output);
                output += d->channels;
            }
        }
        input += d->input_height * d->input_width * d->channels;
    }
    return 0;
}
