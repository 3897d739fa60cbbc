/* SPDX-License-Identifier: 0BSD */
/** @file
 * Operator 4 of module demo, RESHAPE. Internal. */
#ifndef AOT_RESHAPE_4_H
#define AOT_RESHAPE_4_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares the operator.
 * @param ctx an initialised context
 * @return status */
int32_t aot_reshape_4_init(aot_model_context_t *ctx);
/** Computes the operator's outputs from its inputs.
 * @param ctx an initialised context
 * @return status */
int32_t aot_reshape_4_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
