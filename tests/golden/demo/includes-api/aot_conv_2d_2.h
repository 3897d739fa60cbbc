/* SPDX-License-Identifier: 0BSD */
/* aot_conv_2d_2.h: operator 2 of module demo, CONV_2D. Internal. */
#ifndef AOT_CONV_2D_2_H
#define AOT_CONV_2D_2_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

int32_t aot_conv_2d_2_init(aot_model_context_t *ctx);
int32_t aot_conv_2d_2_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
