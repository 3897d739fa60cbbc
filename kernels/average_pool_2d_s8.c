/* SPDX-License-Identifier: 0BSD */
#include "average_pool_2d_s8.h"

#include "support/clamp.h"
#include "support/tap_range.h"

/* One output pixel: the mean of `rows` x `columns` input pixels from `corner` on, a channel
 * at a time. */
static void ingot_average_pool_2d_s8_pixel(const ingot_average_pool_2d_s8_desc_t *d,
                                           const int8_t *corner, int32_t rows, int32_t columns,
                                           int8_t *output)
{
    const int32_t count = rows * columns;
    int32_t c;
    int32_t y;
    int32_t x;
    for (c = 0; c < d->channels; ++c) {
        int32_t sum = 0;
        for (y = 0; y < rows; ++y) {
            for (x = 0; x < columns; ++x) {
                sum += corner[(y * d->input_width + x) * d->channels + c];
            }
        }
        sum += sum > 0 ? count / 2 : -(count / 2);
        output[c] = (int8_t)ingot_clamp(sum / count, d->activation_min, d->activation_max);
    }
}

int32_t ingot_kernel_average_pool_2d_s8(const ingot_average_pool_2d_s8_desc_t *d,
                                        const int8_t *input, int8_t *output)
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
                ingot_average_pool_2d_s8_pixel(
                    d, input + ((top + row) * d->input_width + left + column) * d->channels,
                    row_end - row, column_end - column, output);
                output += d->channels;
            }
        }
        input += d->input_height * d->input_width * d->channels;
    }
    return 0;
}
