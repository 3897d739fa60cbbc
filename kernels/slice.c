/* SPDX-License-Identifier: 0BSD */
#include "slice.h"

#include <string.h>

#include "support/next_position.h"

int32_t ingot_kernel_slice(const ingot_slice_desc_t *d, const uint8_t *input, uint8_t *output)
{
    int32_t index[8] = {0};
    int32_t position = 0;
    while (position >= 0) {
        /* The output may lie over rows that are read already, and over this one. */
        memmove(output, input + d->offset + position, (size_t)d->row_bytes);
        output += d->row_bytes;
        position = ingot_next_position(d->rank, d->sizes, d->strides, index, position);
    }
    return 0;
}
