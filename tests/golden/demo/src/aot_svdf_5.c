/* SPDX-License-Identifier: 0BSD */
/* SVDF, operator 5: svdf_5
 *
 * input aot_tensor_10: 1x1024 int8, scale 0.15197036, zero point 0; reshape_4
 * state aot_tensor_14: 1x128 int8, scale 0.1297291, zero point 0; svdf_5/state
 * constant aot_tensor_11: 32x1024 int8, scale 0.0021, zero point 0; svdf_5/weights_feature
 * constant aot_tensor_12: 32x4 int8, scale 0.0075, zero point 0; svdf_5/weights_time
 * constant aot_tensor_13: 32 int32, scale 0.0009729683, zero point 0; svdf_5/bias
 * constant aot_tensor_svdf_5_weight_sum: 128 bytes
 * output aot_tensor_15: 1x32 int8, scale 0.04724775, zero point -128; svdf_5
 *
 * Kernel: svdf_s8
 * Costs: 32,896 multiply-accumulates, 66,208 bytes read and written.
 * Bytes: 33,152 of constants, 0 of scratch.
 */
#include "aot_svdf_5.h"

#include "aot_kernels.h"

static const aot_svdf_s8_desc_t descriptor = {
    /* batches */ 1,
    /* input_size */ 1024,
    /* units */ 32,
    /* rank */ 1,
    /* memory_size */ 4,
    /* state_multiplier */ 1352416823,
    /* state_shift */ -8,
    /* state_offset */ 0,
    /* output_multiplier */ 1415133479,
    /* output_shift */ -5,
    /* output_offset */ -128
};

int32_t aot_svdf_5_init(aot_model_context_t *ctx)
{
    (void)ctx; /* nothing to prepare: the descriptor is complete */
    return aot_status_ok;
}

int32_t aot_svdf_5_run(aot_model_context_t *ctx)
{
    return aot_kernel_svdf_s8(&descriptor,
        ctx->tensor_ptrs[aot_tensor_10],
        ctx->tensor_ptrs[aot_tensor_11],
        ctx->tensor_ptrs[aot_tensor_12],
        (const int32_t *)(const void *)ctx->tensor_ptrs[aot_tensor_13],
        (const int32_t *)(const void *)ctx->tensor_ptrs[aot_tensor_svdf_5_weight_sum],
        ctx->tensor_ptrs[aot_tensor_14],
        ctx->tensor_ptrs[aot_tensor_15]);
}
