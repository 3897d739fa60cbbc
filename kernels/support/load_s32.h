/* SPDX-License-Identifier: 0BSD */
#ifndef INGOT_SUPPORT_LOAD_S32_H
#define INGOT_SUPPORT_LOAD_S32_H

#include "support/platform.h"

/* A little-endian int32 at any address. */
static inline int32_t ingot_load_s32(const int8_t *p)
{
    return (int32_t)((uint32_t)(uint8_t)p[0] | (uint32_t)(uint8_t)p[1] << 8 |
                     (uint32_t)(uint8_t)p[2] << 16 | (uint32_t)(uint8_t)p[3] << 24);
}

#endif
