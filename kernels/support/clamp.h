/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_CLAMP_H
#define INGOT_SUPPORT_CLAMP_H

#include "support/platform.h"

/* x limited to low..high (low <= high). */
static inline int32_t ingot_clamp(int32_t x, int32_t low, int32_t high)
{
    if (x < low) {
        return low;
    }
    return x > high ? high : x;
}

#endif
