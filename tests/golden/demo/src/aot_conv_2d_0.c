/* SPDX-License-Identifier: 0BSD */
/* CONV_2D, operator 0: conv_0
 *
 * input aot_tensor_0: 1x16x16x3 int8, scale 0.015625, zero point -5; input
 * constant aot_tensor_1: 16x3x3x3 int8, per channel (16 scales); conv_0/weights
 * constant aot_tensor_conv_2d_0_weight_sum: 64 bytes
 * constant aot_tensor_conv_2d_0_multiplier: 64 bytes
 * constant aot_tensor_conv_2d_0_shift: 64 bytes
 * output aot_tensor_3: 1x16x16x16 int8, scale 0.028141176, zero point -128; conv_0
 *
 * Kernel: conv_2d_s8
 * portable, input offset and bias folded
 * Costs: 110,592 multiply-accumulates, 274,432 bytes read and written.
 * Bytes: 624 of constants, 0 of scratch.
 */
#include "aot_conv_2d_0.h"

#include "aot_kernels.h"

static const aot_conv_2d_s8_desc_t descriptor = {
    /* batches */ 1,
    /* input_height */ 16,
    /* input_width */ 16,
    /* input_channels */ 3,
    /* filter_height */ 3,
    /* filter_width */ 3,
    /* filter_channels */ 3,
    /* output_height */ 16,
    /* output_width */ 16,
    /* output_channels */ 16,
    /* group_outputs */ 16,
    /* stride_height */ 1,
    /* stride_width */ 1,
    /* dilation_height */ 1,
    /* dilation_width */ 1,
    /* pad_top */ 1,
    /* pad_left */ 1,
    /* input_offset */ 0,
    /* pad_value */ -5,
    /* output_offset */ -128,
    /* activation_min */ -128,
    /* activation_max */ 127,
    /* backwards */ 0
};

int32_t aot_conv_2d_0_init(aot_model_context_t *ctx)
{
    (void)ctx; /* nothing to prepare: the descriptor is complete */
    return aot_status_ok;
}

int32_t aot_conv_2d_0_run(aot_model_context_t *ctx)
{
    return aot_kernel_conv_2d_s8(&descriptor,
        ctx->tensor_ptrs[aot_tensor_0],
        ctx->tensor_ptrs[aot_tensor_1],
        (const int32_t *)(const void *)ctx->tensor_ptrs[aot_tensor_conv_2d_0_weight_sum],
        (const int32_t *)(const void *)ctx->tensor_ptrs[aot_tensor_conv_2d_0_multiplier],
        (const int32_t *)(const void *)ctx->tensor_ptrs[aot_tensor_conv_2d_0_shift],
        ctx->tensor_ptrs[aot_tensor_3]);
}
