/* SPDX-License-Identifier: 0BSD */
#include "pad.h"

#include <string.h>

#include "support/next_position.h"

/* Repeats the added value from byte `begin` to byte `end` of the output. */
static void ingot_pad_fill(const uint8_t *pattern, uint8_t *output, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; ++i) {
        output[i] = pattern[i % 4];
    }
}

int32_t ingot_kernel_pad(const ingot_pad_desc_t *d, const uint8_t *input, const uint8_t *value,
                         uint8_t *output)
{
    const uint32_t fill = (uint32_t)d->fill;
    uint8_t pattern[4];
    int32_t index[8] = {0};
    int32_t position = 0;
    int32_t written = 0;
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t byte = i % d->element_bytes;
        pattern[i] = (uint8_t)(value != NULL ? value[byte] : fill >> (8 * byte));
    }
    while (position >= 0) {
        const int32_t place = d->offset + position;
        ingot_pad_fill(pattern, output, written, place);
        memmove(output + place, input, (size_t)d->row_bytes);
        written = place + d->row_bytes;
        input += d->row_bytes;
        position = ingot_next_position(d->rank, d->sizes, d->strides, index, position);
    }
    ingot_pad_fill(pattern, output, written, d->output_bytes);
    return 0;
}
