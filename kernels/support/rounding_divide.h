/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_ROUNDING_DIVIDE_H
#define INGOT_SUPPORT_ROUNDING_DIVIDE_H

#include "support/platform.h"

/* x / 2^n rounded to nearest, ties away from zero. n is 0..31. */
static inline int32_t ingot_rounding_divide_by_pot(int32_t x, int32_t n)
{
    const uint32_t mask = (UINT32_C(1) << (uint32_t)n) - 1U;
    const uint32_t remainder = (uint32_t)x & mask;
    const uint32_t threshold = (mask >> 1) + (x < 0 ? 1U : 0U);
    return (x >> n) + (remainder > threshold ? 1 : 0);
}

#endif
