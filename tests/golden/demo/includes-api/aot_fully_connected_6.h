/* SPDX-License-Identifier: 0BSD */
/* aot_fully_connected_6.h: operator 6 of module demo, FULLY_CONNECTED. Internal. */
#ifndef AOT_FULLY_CONNECTED_6_H
#define AOT_FULLY_CONNECTED_6_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

int32_t aot_fully_connected_6_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
