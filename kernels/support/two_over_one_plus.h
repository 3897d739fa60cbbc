/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_TWO_OVER_ONE_PLUS_H
#define INGOT_SUPPORT_TWO_OVER_ONE_PLUS_H

#include "support/doubling_high_mul.h"
#include "support/platform.h"

/* 2 / (1 + a) for a in 0..1, the argument scaled by 2^31, the result by 2^29. Three Newton
 * steps for the reciprocal of (1 + a) / 2 from the best linear guess, 48/17 - 32/17 x. */
static inline int32_t ingot_two_over_one_plus(int32_t a)
{
    const int32_t guess_constant = 1515870810;
    const int32_t guess_slope = -1010580540;
    const int32_t half = (int32_t)(((int64_t)a + INT32_MAX + 1) / 2);
    int32_t x = guess_constant + ingot_saturating_rounding_doubling_high_mul(half, guess_slope);
    for (int32_t step = 0; step < 3; ++step) {
        const int32_t product = ingot_saturating_rounding_doubling_high_mul(half, x);
        const int32_t error = (1 << 29) - product;
        x += ingot_saturating_rounding_doubling_high_mul(x, error) * 4;
    }
    return x;
}

#endif
