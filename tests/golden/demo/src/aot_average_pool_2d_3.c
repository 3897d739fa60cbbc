/* SPDX-License-Identifier: 0BSD */
/* AVERAGE_POOL_2D, operator 3: average_pool_3
 *
 * input aot_tensor_7: 1x8x8x64 int8, scale 0.15197036, zero point 0; conv_2
 * output aot_tensor_8: 1x4x4x64 int8, scale 0.15197036, zero point 0; average_pool_3
 *
 * Kernel: average_pool_2d_s8
 * Costs: 0 multiply-accumulates, 5,120 bytes read and written.
 * Bytes: 0 of constants, 0 of scratch.
 */
#include "aot_average_pool_2d_3.h"

#include "aot_kernels.h"

static const aot_average_pool_2d_s8_desc_t descriptor = {
    /* batches */ 1,
    /* input_height */ 8,
    /* input_width */ 8,
    /* channels */ 64,
    /* output_height */ 4,
    /* output_width */ 4,
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
    /* backwards */ 0
};

int32_t aot_average_pool_2d_3_init(aot_model_context_t *ctx)
{
    (void)ctx; /* nothing to prepare: the descriptor is complete */
    return aot_status_ok;
}

int32_t aot_average_pool_2d_3_run(aot_model_context_t *ctx)
{
    return aot_kernel_average_pool_2d_s8(&descriptor,
        ctx->tensor_ptrs[aot_tensor_7],
        ctx->tensor_ptrs[aot_tensor_8]);
}
