/* SPDX-License-Identifier: 0BSD */
/* MAX_POOL_2D, operator 1: max_pool_1
 *
 * input aot_tensor_3: 1x16x16x16 int8, scale 0.028141176, zero point -128; conv_0
 * output aot_tensor_4: 1x8x8x16 int8, scale 0.028141176, zero point -128; max_pool_1
 *
 * Kernel: max_pool_2d_s8
 * Costs: 0 multiply-accumulates, 5,120 bytes read and written.
 * Bytes: 0 of constants, 0 of scratch.
 */
#include "aot_max_pool_2d_1.h"

#include "aot_kernels.h"

static const aot_max_pool_2d_s8_desc_t descriptor = {
    /* batches */ 1,
    /* input_height */ 16,
    /* input_width */ 16,
    /* channels */ 16,
    /* output_height */ 8,
    /* output_width */ 8,
    /* filter_height */ 2,
    /* filter_width */ 2,
    /* stride_height */ 2,
    /* stride_width */ 2,
    /* pad_top */ 0,
    /* pad_left */ 0,
    /* pad_counts */ 0,
    /* pad_code */ 0,
    /* activation_min */ -128,
    /* activation_max */ 127,
    /* backwards */ 1
};

int32_t aot_max_pool_2d_1_init(aot_model_context_t *ctx)
{
    (void)ctx; /* nothing to prepare: the descriptor is complete */
    return aot_status_ok;
}

int32_t aot_max_pool_2d_1_run(aot_model_context_t *ctx)
{
    return aot_kernel_max_pool_2d_s8(&descriptor,
        ctx->tensor_ptrs[aot_tensor_3],
        ctx->tensor_ptrs[aot_tensor_4]);
}
