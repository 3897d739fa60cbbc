/* SPDX-License-Identifier: 0BSD */
/* CONV_2D, operator 2: conv_2
 *
 * input aot_tensor_4: 1x8x8x16 int8, scale 0.028141176, zero point -128; max_pool_1
 * constant aot_tensor_5: 64x3x3x16 int8, per channel (64 scales); conv_2/weights
 * constant aot_tensor_conv_2d_2_weight_sum: 256 bytes
 * constant aot_tensor_conv_2d_2_multiplier: 256 bytes
 * constant aot_tensor_conv_2d_2_shift: 256 bytes
 * output aot_tensor_7: 1x8x8x64 int8, scale 0.15197036, zero point 0; conv_2
 *
 * Kernel: conv_2d_s8
 * portable, input offset and bias folded
 * Costs: 589,824 multiply-accumulates, 1,232,896 bytes read and written.
 * Bytes: 9,984 of constants, 0 of scratch.
 */
#include "aot_conv_2d_2.h"

#include "aot_kernels.h"

static const aot_conv_2d_s8_desc_t descriptor = {
    /* batches */ 1,
    /* input_height */ 8,
    /* input_width */ 8,
    /* input_channels */ 16,
    /* filter_height */ 3,
    /* filter_width */ 3,
    /* filter_channels */ 16,
    /* output_height */ 8,
    /* output_width */ 8,
    /* output_channels */ 64,
    /* group_outputs */ 64,
    /* stride_height */ 1,
    /* stride_width */ 1,
    /* dilation_height */ 1,
    /* dilation_width */ 1,
    /* pad_top */ 1,
    /* pad_left */ 1,
    /* input_offset */ 0,
    /* pad_value */ -128,
    /* output_offset */ 0,
    /* activation_min */ -128,
    /* activation_max */ 127,
    /* backwards */ 0
};

int32_t aot_conv_2d_2_init(aot_model_context_t *ctx)
{
    (void)ctx; /* nothing to prepare: the descriptor is complete */
    return aot_status_ok;
}

int32_t aot_conv_2d_2_run(aot_model_context_t *ctx)
{
    return aot_kernel_conv_2d_s8(&descriptor,
        ctx->tensor_ptrs[aot_tensor_4],
        ctx->tensor_ptrs[aot_tensor_5],
        (const int32_t *)(const void *)ctx->tensor_ptrs[aot_tensor_conv_2d_2_weight_sum],
        (const int32_t *)(const void *)ctx->tensor_ptrs[aot_tensor_conv_2d_2_multiplier],
        (const int32_t *)(const void *)ctx->tensor_ptrs[aot_tensor_conv_2d_2_shift],
        ctx->tensor_ptrs[aot_tensor_7]);
}
