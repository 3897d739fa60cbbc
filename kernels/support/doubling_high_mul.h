/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_DOUBLING_HIGH_MUL_H
#define INGOT_SUPPORT_DOUBLING_HIGH_MUL_H

#include "support/platform.h"

/* a * b / 2^31 rounded to nearest, ties toward plus infinity; saturates at its one overflow,
 * a = b = -2^31. */
static inline int32_t ingot_saturating_rounding_doubling_high_mul(int32_t a, int32_t b)
{
    const int64_t rounded = (int64_t)a * b + (INT64_C(1) << 30);
    if (a == INT32_MIN && b == INT32_MIN) {
        return INT32_MAX;
    }
    return (int32_t)(rounded >> 31);
}

#endif
