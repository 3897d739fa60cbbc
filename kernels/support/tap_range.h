/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_TAP_RANGE_H
#define INGOT_SUPPORT_TAP_RANGE_H

#include "support/platform.h"

/* The taps of a window that lie inside of the input: first <= i < end of `taps` taps, where tap
 * i is at origin + i * dilation and the input is 0 <= position < size. Both are `taps` when
 * there is none. */
static inline void ingot_tap_range(int32_t origin, int32_t taps, int32_t dilation, int32_t size,
                                   int32_t *first, int32_t *end)
{
    int32_t i = 0;
    int32_t n = taps;
    if (origin < 0) {
        i = (dilation - 1 - origin) / dilation;
    }
    if (origin >= size) {
        n = 0;
    } else if ((size - 1 - origin) / dilation + 1 < taps) {
        n = (size - 1 - origin) / dilation + 1;
    }
    if (i >= n) {
        i = taps;
        n = taps;
    }
    *first = i;
    *end = n;
}

#endif
