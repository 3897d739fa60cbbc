/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_EXP_ON_NEGATIVE_H
#define INGOT_SUPPORT_EXP_ON_NEGATIVE_H

#include "support/doubling_high_mul.h"
#include "support/platform.h"
#include "support/rounding_divide.h"

/* exp(a) for a in -1/4..0 without 0; argument and result scaled by 2^31. The fourth order
 * Taylor polynomial around -1/8. */
static inline int32_t ingot_exp_quarter(int32_t a)
{
    const int32_t exp_minus_eighth = 1895147668;
    const int32_t third = 715827883;
    const int32_t x = a + (1 << 28);
    const int32_t x2 = ingot_saturating_rounding_doubling_high_mul(x, x);
    const int32_t x3 = ingot_saturating_rounding_doubling_high_mul(x2, x);
    const int32_t x4 = ingot_saturating_rounding_doubling_high_mul(x2, x2);
    const int32_t cubic = ingot_rounding_divide_by_pot(x4, 2) + x3;
    const int32_t tail = ingot_rounding_divide_by_pot(
        ingot_saturating_rounding_doubling_high_mul(cubic, third) + x2, 1);
    return exp_minus_eighth +
           ingot_saturating_rounding_doubling_high_mul(exp_minus_eighth, x + tail);
}

/* exp(a) for a <= 0; the argument is scaled by 2^(31 - integer_bits), integer_bits 0..5, the
 * result by 2^31. The fraction modulo 1/4 goes through the polynomial; every further bit of
 * the argument is one multiplication with a constant. */
static inline int32_t ingot_exp_on_negative(int32_t a, int32_t integer_bits)
{
    /* exp(-2^j) for j = -2..4, scaled by 2^31 */
    static const int32_t factors[7] = {1672461947, 1302514674, 790015084, 290630308,
                                       39332535,   720401,     242};
    const int32_t quarter = (int32_t)1 << (29 - integer_bits);
    if (a == 0) {
        return INT32_MAX;
    }
    const int32_t fraction = (a & (quarter - 1)) - quarter;
    int32_t result = ingot_exp_quarter(fraction * (1 << integer_bits));
    const uint32_t quarters = ((uint32_t)fraction - (uint32_t)a) >> (29 - integer_bits);
    for (int32_t bit = 0; bit < integer_bits + 2; ++bit) {
        if ((quarters >> bit) & 1U) {
            result = ingot_saturating_rounding_doubling_high_mul(result, factors[bit]);
        }
    }
    return result;
}

#endif
