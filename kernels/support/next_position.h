/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_NEXT_POSITION_H
#define INGOT_SUPPORT_NEXT_POSITION_H

#include "support/platform.h"

/* Steps through `rank` dimensions in row-major order. `index` starts at zeros and `offset` is
 * the sum of index * stride. Returns the next offset, or -1 after the last position (then the
 * index is at zeros again). No offset is negative. */
static inline int32_t ingot_next_position(int32_t rank, const int32_t *sizes,
                                          const int32_t *strides, int32_t *index, int32_t offset)
{
    for (int32_t i = rank - 1; i >= 0; --i) {
        index[i] += 1;
        if (index[i] < sizes[i]) {
            return offset + strides[i];
        }
        offset -= (sizes[i] - 1) * strides[i];
        index[i] = 0;
    }
    return -1;
}

#endif
