/* SPDX-License-Identifier: 0BSD */
/** @file
 * Operator 2 of module demo, CONV_2D. Internal. */
#ifndef AOT_CONV_2D_2_H
#define AOT_CONV_2D_2_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares the operator.
 * @param ctx an initialised context
 * @return status */
int32_t aot_conv_2d_2_init(aot_model_context_t *ctx);
/** Computes the operator's outputs from its inputs.
 * @param ctx an initialised context
 * @return status */
int32_t aot_conv_2d_2_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
