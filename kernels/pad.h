/* SPDX-License-Identifier: 0BSD */
/* PAD and PADV2: a tensor in the middle of a larger one, for elements of 1, 2 or 4 bytes. */
#ifndef INGOT_PAD_H
#define INGOT_PAD_H

#include "support/platform.h"

/* A row is what is contiguous in input and output. */
typedef struct {
    int32_t output_bytes;  /* bytes of the output, a multiple of the element */
    int32_t offset;        /* bytes before the first row in the output */
    int32_t row_bytes;     /* bytes of an input row */
    int32_t rank;          /* number of dimensions outside of a row, 0..8 */
    int32_t sizes[8];      /* input length of each, outermost first, above 0 */
    int32_t strides[8];    /* step in the output along each, in bytes */
    int32_t element_bytes; /* 1, 2 or 4 */
    int32_t fill;          /* the added value when there is no `value`, lowest byte first */
} ingot_pad_desc_t;

/* input: the rows; value: one element that is added around, or null; output: output_bytes, written
 * in order; it may lie over the input, as far below it as no row is overwritten before it has its
 * place. Returns 0. */
int32_t ingot_kernel_pad(const ingot_pad_desc_t *d, const uint8_t *input, const uint8_t *value,
                         uint8_t *output);

#endif
