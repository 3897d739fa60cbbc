/* SPDX-License-Identifier: 0BSD */
#include "average_pool_2d_s8.h"

#include "support/clamp.h"
#include "support/in_order.h"
#include "support/tap_range.h"

/* One output pixel: the mean of `rows` x `columns` input pixels from `corner` on, a channel
 * at a time. */
static void ingot_average_pool_2d_s8_pixel(const ingot_average_pool_2d_s8_desc_t *d,
                                           const int8_t *corner, int32_t rows, int32_t columns,
                                           int8_t *output)
{
    const int32_t size = d->filter_height * d->filter_width;
    const int32_t count = d->pad_counts != 0 ? size : rows * columns;
    const int32_t added = (count - rows * columns) * d->pad_code;
    int32_t i;
    int32_t y;
    int32_t x;
    for (i = 0; i < d->channels; ++i) {
        const int32_t c = ingot_in_order(i, d->channels, d->backwards);
        int32_t sum = added;
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
    int32_t i;
    int32_t j;
    int32_t k;
    for (i = 0; i < d->batches; ++i) {
        const int32_t batch = ingot_in_order(i, d->batches, d->backwards);
        const int8_t *image = input + batch * d->input_height * d->input_width * d->channels;
        for (j = 0; j < d->output_height; ++j) {
            const int32_t y = ingot_in_order(j, d->output_height, d->backwards);
            const int32_t top = y * d->stride_height - d->pad_top;
            int32_t row;
            int32_t row_end;
            ingot_tap_range(top, d->filter_height, 1, d->input_height, &row, &row_end);
            for (k = 0; k < d->output_width; ++k) {
                const int32_t x = ingot_in_order(k, d->output_width, d->backwards);
                const int32_t left = x * d->stride_width - d->pad_left;
                int32_t column;
                int32_t column_end;
                ingot_tap_range(left, d->filter_width, 1, d->input_width, &column, &column_end);
                ingot_average_pool_2d_s8_pixel(
                    d, image + ((top + row) * d->input_width + left + column) * d->channels,
                    row_end - row, column_end - column,
                    output + ((batch * d->output_height + y) * d->output_width + x) * d->channels);
            }
        }
    }
    return 0;
}
