/* SPDX-License-Identifier: 0BSD */
/* CONCATENATION, one input: rows of bytes go to their places in longer rows. */
#ifndef INGOT_COPY_ROWS_H
#define INGOT_COPY_ROWS_H

#include "support/platform.h"

typedef struct {
    int32_t rows;          /* number of rows */
    int32_t row_bytes;     /* bytes of an input row */
    int32_t output_stride; /* bytes from output row to output row */
    int32_t output_offset; /* bytes before the first row in the output */
} ingot_copy_rows_desc_t;

/* input: rows x row_bytes; output: rows x output_stride, its rows written in order; it may lie over
 * the input, as far below it as no row is overwritten before it has its place. Returns 0. */
int32_t ingot_kernel_copy_rows(const ingot_copy_rows_desc_t *d, const uint8_t *input,
                               uint8_t *output);

#endif
