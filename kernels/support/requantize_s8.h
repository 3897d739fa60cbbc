/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_REQUANTIZE_S8_H
#define INGOT_SUPPORT_REQUANTIZE_S8_H

#include "support/platform.h"
#include "support/requantize.h"

/* The int8 code of an accumulator: requantised, `offset` added, clamped to low..high, which lie
 * within int8. Clamps before it adds, so that no sum overflows. */
static inline int8_t ingot_requantize_s8(int32_t acc, int32_t multiplier, int32_t shift,
                                         int32_t offset, int32_t low, int32_t high)
{
    const int32_t scaled = ingot_multiply_by_quantized_multiplier(acc, multiplier, shift);
    if (scaled < low - offset) {
        return (int8_t)low;
    }
    if (scaled > high - offset) {
        return (int8_t)high;
    }
    return (int8_t)(scaled + offset);
}

#endif
