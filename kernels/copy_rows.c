/* SPDX-License-Identifier: 0BSD */
#include "copy_rows.h"

#include <string.h>

int32_t ingot_kernel_copy_rows(const ingot_copy_rows_desc_t *d, const uint8_t *input,
                               uint8_t *output)
{
    output += d->output_offset;
    for (int32_t row = 0; row < d->rows; ++row) {
        memmove(output, input, (size_t)d->row_bytes);
        input += d->row_bytes;
        output += d->output_stride;
    }
    return 0;
}
