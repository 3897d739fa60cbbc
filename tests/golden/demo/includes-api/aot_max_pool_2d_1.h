/* SPDX-License-Identifier: 0BSD */
/** @file
 * Operator 1 of module demo, MAX_POOL_2D. Internal. */
#ifndef AOT_MAX_POOL_2D_1_H
#define AOT_MAX_POOL_2D_1_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares the operator.
 * @param ctx an initialised context
 * @return status */
int32_t aot_max_pool_2d_1_init(aot_model_context_t *ctx);
/** Computes the operator's outputs from its inputs.
 * @param ctx an initialised context
 * @return status */
int32_t aot_max_pool_2d_1_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
