/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_REQUANTIZE_CODE_H
#define INGOT_SUPPORT_REQUANTIZE_CODE_H

#include "support/clamp.h"
#include "support/platform.h"
#include "support/requantize.h"

/* How a code moves from one quantisation to another. */
typedef struct {
    int32_t input_zero_point;
    int32_t multiplier;
    int32_t shift;
    int32_t output_zero_point;
    int32_t output_min;
    int32_t output_max;
} ingot_requantize_code_t;

/* `code` in the output's quantisation. Differences and sums wrap as in the reference; for codes
 * of 16 bits or fewer they never do. */
static inline int32_t ingot_requantize_code(const ingot_requantize_code_t *q, int32_t code)
{
    const int32_t difference = (int32_t)((uint32_t)code - (uint32_t)q->input_zero_point);
    const int32_t scaled =
        ingot_multiply_by_quantized_multiplier(difference, q->multiplier, q->shift);
    const int32_t moved = (int32_t)((uint32_t)scaled + (uint32_t)q->output_zero_point);
    return ingot_clamp(moved, q->output_min, q->output_max);
}

#endif
