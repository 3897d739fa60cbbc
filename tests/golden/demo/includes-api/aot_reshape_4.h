/* SPDX-License-Identifier: 0BSD */
/* aot_reshape_4.h: operator 4 of module demo, RESHAPE. Internal. */
#ifndef AOT_RESHAPE_4_H
#define AOT_RESHAPE_4_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

int32_t aot_reshape_4_init(aot_model_context_t *ctx);
int32_t aot_reshape_4_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
