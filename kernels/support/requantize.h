/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_REQUANTIZE_H
#define INGOT_SUPPORT_REQUANTIZE_H

#include "support/doubling_high_mul.h"
#include "support/platform.h"
#include "support/rounding_divide.h"

/* x * multiplier * 2^(shift - 31) with two roundings: after the multiplication and after the
 * right shift. The left shift saturates. Shifts outside -31..31 act as the nearest of these, so
 * that any bytes are defined. */
static inline int32_t ingot_multiply_by_quantized_multiplier(int32_t x, int32_t multiplier,
                                                             int32_t shift)
{
    int32_t right = 0;
    if (shift > 0) {
        const int64_t shifted = (int64_t)x * (INT64_C(1) << (shift < 31 ? shift : 31));
        x = shifted > INT32_MAX ? INT32_MAX : shifted < INT32_MIN ? INT32_MIN : (int32_t)shifted;
    } else {
        right = shift > -31 ? -shift : 31;
    }
    return ingot_rounding_divide_by_pot(ingot_saturating_rounding_doubling_high_mul(x, multiplier),
                                        right);
}

#endif
