/* SPDX-License-Identifier: 0BSD */
/* aot_softmax_7.h: operator 7 of module demo, SOFTMAX. Internal. */
#ifndef AOT_SOFTMAX_7_H
#define AOT_SOFTMAX_7_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

int32_t aot_softmax_7_init(aot_model_context_t *ctx);
int32_t aot_softmax_7_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
