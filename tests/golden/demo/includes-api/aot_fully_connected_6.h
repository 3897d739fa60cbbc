/* SPDX-License-Identifier: 0BSD */
/** @file
 * Operator 6 of module demo, FULLY_CONNECTED. Internal. */
#ifndef AOT_FULLY_CONNECTED_6_H
#define AOT_FULLY_CONNECTED_6_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Computes the operator's outputs from its inputs.
 * @param ctx an initialised context
 * @return status */
int32_t aot_fully_connected_6_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
