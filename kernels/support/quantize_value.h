/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_QUANTIZE_VALUE_H
#define INGOT_SUPPORT_QUANTIZE_VALUE_H

#include "support/platform.h"

/* The code of a real value: value / scale rounded half away from zero, plus the zero point,
 * limited to low..high, which lie within 16 bits as the zero point does. Beyond that range,
 * infinities included, the nearer limit; NaN counts as 0. */
static inline int32_t ingot_quantize_value(float value, float scale, int32_t zero_point,
                                           int32_t low, int32_t high)
{
    const float quotient = value / scale;
    int32_t code = 0;
    if (quotient >= 131072.0F) {
        return high;
    }
    if (quotient <= -131072.0F) {
        return low;
    }
    if (quotient == quotient) {
        /* Within 2^17 the fraction is exact, so that comparing it rounds correctly. */
        const int32_t whole = (int32_t)quotient;
        const float fraction = quotient - (float)whole;
        code = whole + (fraction >= 0.5F) - (fraction <= -0.5F);
    }
    code += zero_point;
    if (code < low) {
        return low;
    }
    return code > high ? high : code;
}

#endif
