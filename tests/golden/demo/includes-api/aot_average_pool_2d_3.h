/* SPDX-License-Identifier: 0BSD */
/** @file
 * Operator 3 of module demo, AVERAGE_POOL_2D. Internal. */
#ifndef AOT_AVERAGE_POOL_2D_3_H
#define AOT_AVERAGE_POOL_2D_3_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares the operator.
 * @param ctx an initialised context
 * @return status */
int32_t aot_average_pool_2d_3_init(aot_model_context_t *ctx);
/** Computes the operator's outputs from its inputs.
 * @param ctx an initialised context
 * @return status */
int32_t aot_average_pool_2d_3_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
