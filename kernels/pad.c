/* SPDX-License-Identifier: 0BSD */
#include "pad.h"

#include <string.h>

#include "support/next_position.h"

/* Repeats the added value over the whole output. */
static void ingot_pad_fill(const ingot_pad_desc_t *d, const uint8_t *value, uint8_t *output)
{
    const uint32_t fill = (uint32_t)d->fill;
    uint8_t pattern[4];
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t byte = i % d->element_bytes;
        pattern[i] = (uint8_t)(value != NULL ? value[byte] : fill >> (8 * byte));
    }
    for (int32_t i = 0; i < d->output_bytes; ++i) {
        output[i] = pattern[i % 4];
    }
}

int32_t ingot_kernel_pad(const ingot_pad_desc_t *d, const uint8_t *input, const uint8_t *value,
                         uint8_t *output)
{
    int32_t index[8] = {0};
    int32_t position = 0;
    ingot_pad_fill(d, value, output);
    while (position >= 0) {
        memcpy(output + d->offset + position, input, (size_t)d->row_bytes);
        input += d->row_bytes;
        position = ingot_next_position(d->rank, d->sizes, d->strides, index, position);
    }
    return 0;
}
