/* SPDX-License-Identifier: 0BSD */
/** @file
 * Operator 5 of module demo, SVDF. Internal. */
#ifndef AOT_SVDF_5_H
#define AOT_SVDF_5_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prepares the operator.
 * @param ctx an initialised context
 * @return status */
int32_t aot_svdf_5_init(aot_model_context_t *ctx);
/** Computes the operator's outputs from its inputs.
 * @param ctx an initialised context
 * @return status */
int32_t aot_svdf_5_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
