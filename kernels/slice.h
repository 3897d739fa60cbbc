/* SPDX-License-Identifier: 0BSD */
/* SLICE, SPLIT and SPLIT_V, one output: a block of a tensor becomes a tensor. */
#ifndef INGOT_SLICE_H
#define INGOT_SLICE_H

#include "support/platform.h"

/* A row is what is contiguous in input and output. */
typedef struct {
    int32_t offset;     /* bytes before the first row in the input */
    int32_t row_bytes;  /* bytes of a row */
    int32_t rank;       /* number of dimensions outside of a row, 0..8 */
    int32_t sizes[8];   /* output length of each, outermost first, above 0 */
    int32_t strides[8]; /* step in the input along each, in bytes */
} ingot_slice_desc_t;

/* output: the rows, one after the other. Returns 0. */
int32_t ingot_kernel_slice(const ingot_slice_desc_t *d, const uint8_t *input, uint8_t *output);

#endif
