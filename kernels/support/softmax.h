/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_SOFTMAX_H
#define INGOT_SUPPORT_SOFTMAX_H

#include "support/exp_on_negative.h"
#include "support/platform.h"
#include "support/requantize.h"
#include "support/rounding_divide.h"
#include "support/two_over_one_plus.h"

/* How the codes of a row become exponentials: exponents are differences to the row's highest
 * code, times multiplier * 2^(shift - 31), scaled by 2^26; lower ones than diff_min count as
 * zero. Then the row's highest code, and the reciprocal of the sum of its exponentials,
 * reciprocal * 2^-31 * 2^-reciprocal_shift. */
typedef struct {
    int32_t multiplier;
    int32_t shift;
    int32_t diff_min;
    int32_t highest;
    int32_t reciprocal;
    int32_t reciprocal_shift;
} ingot_softmax_row_t;

/* exp(code - highest), scaled by 2^31, or -1 for a code that counts as zero. */
static inline int32_t ingot_softmax_exp(const ingot_softmax_row_t *row, int32_t code)
{
    const int32_t difference = code - row->highest;
    if (difference < row->diff_min) {
        return -1;
    }
    return ingot_exp_on_negative(
        ingot_multiply_by_quantized_multiplier(difference, row->multiplier, row->shift), 5);
}

/* Fills in the row's highest code and reciprocal from its `depth` > 0 codes. */
static inline void ingot_softmax_begin_row(ingot_softmax_row_t *row, const int8_t *codes,
                                           int32_t depth)
{
    row->highest = codes[0];
    for (int32_t i = 1; i < depth; ++i) {
        row->highest = codes[i] > row->highest ? codes[i] : row->highest;
    }
    /* Terms have 12 integer bits. The sum saturates where the reference would wrap. */
    uint32_t sum = 0;
    for (int32_t i = 0; i < depth; ++i) {
        const int32_t exponential = ingot_softmax_exp(row, codes[i]);
        if (exponential >= 0) {
            const uint32_t term = (uint32_t)ingot_rounding_divide_by_pot(exponential, 12);
            sum = sum > UINT32_MAX - term ? UINT32_MAX : sum + term;
        }
    }
    /* The highest code's own term is 2^19, so that the loop ends. */
    int32_t leading_zeros = 0;
    while (sum < UINT32_C(0x80000000)) {
        sum <<= 1;
        ++leading_zeros;
    }
    const int32_t fraction = (int32_t)(sum - UINT32_C(0x80000000));
    const int32_t half_reciprocal = ingot_two_over_one_plus(fraction);
    /* 1 / 1 is one step above what 31 bits hold. */
    row->reciprocal = half_reciprocal > INT32_MAX / 2 ? INT32_MAX : half_reciprocal * 2;
    row->reciprocal_shift = 12 - leading_zeros;
}

/* The exponential's share of the row in steps of 2^-bits, counted from 0. */
static inline int32_t ingot_softmax_share(const ingot_softmax_row_t *row, int32_t exponential,
                                          int32_t bits)
{
    const int32_t shift = row->reciprocal_shift + 31 - bits;
    const int32_t share = ingot_saturating_rounding_doubling_high_mul(row->reciprocal, exponential);
    return shift > 31 ? 0 : ingot_rounding_divide_by_pot(share, shift);
}

#endif
