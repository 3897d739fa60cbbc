/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_IN_ORDER_H
#define INGOT_SUPPORT_IN_ORDER_H

#include "support/platform.h"

/* The i-th of n positions, counted from the last one when a kernel runs backwards. */
static inline int32_t ingot_in_order(int32_t i, int32_t n, int32_t backwards)
{
    return backwards ? n - 1 - i : i;
}

#endif
