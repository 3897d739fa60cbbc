/* SPDX-License-Identifier: 0BSD */
/* aot_svdf_5.h: operator 5 of module demo, SVDF. Internal. */
#ifndef AOT_SVDF_5_H
#define AOT_SVDF_5_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

int32_t aot_svdf_5_init(aot_model_context_t *ctx);
int32_t aot_svdf_5_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
