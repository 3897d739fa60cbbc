/* SPDX-License-Identifier: 0BSD */
/** @file
 * Operator 7 of module demo, SOFTMAX. Internal. */
#ifndef AOT_SOFTMAX_7_H
#define AOT_SOFTMAX_7_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares the operator.
 * @param ctx an initialised context
 * @return status */
int32_t aot_softmax_7_init(aot_model_context_t *ctx);
/** Computes the operator's outputs from its inputs.
 * @param ctx an initialised context
 * @return status */
int32_t aot_softmax_7_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
