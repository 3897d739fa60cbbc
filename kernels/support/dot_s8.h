/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_DOT_S8_H
#define INGOT_SUPPORT_DOT_S8_H

#include "support/platform.h"

/* Sum of (x + x_offset) * (w + w_offset) over n elements, modulo 2^32. Offsets lie within
 * -128..128. */
static inline uint32_t ingot_dot_s8(const int8_t *x, const int8_t *w, int32_t n, int32_t x_offset,
                                    int32_t w_offset)
{
    uint32_t sum = 0;
    int32_t i;
    for (i = 0; i < n; ++i) {
        sum += (uint32_t)((x[i] + x_offset) * (w[i] + w_offset));
    }
    return sum;
}

#endif
