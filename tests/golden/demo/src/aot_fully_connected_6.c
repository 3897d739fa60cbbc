/* SPDX-License-Identifier: 0BSD */
/* FULLY_CONNECTED, operator 6: fc_6
 *
 * input aot_tensor_15: 1x32 int8, scale 0.04724775, zero point -128; svdf_5
 * constant aot_tensor_fully_connected_6_packed: 528 bytes
 * output aot_tensor_18: 1x10 int8, scale 0.023579128, zero point 22; fc_6
 *
 * Kernel: fc_per_channel_packed_s8
 * portable, all constants packed
 * Costs: 320 multiply-accumulates, 770 bytes read and written.
 * Bytes: 528 of constants, 0 of scratch.
 */
#include "aot_fully_connected_6.h"

#include "aot_kernels.h"

static const aot_fc_per_channel_packed_s8_desc_t descriptor = {
    /* batches */ 1,
    /* depth */ 32,
    /* outputs */ 10,
    /* output_offset */ 22,
    /* activation_min */ -128,
    /* activation_max */ 127
};

int32_t aot_fully_connected_6_run(aot_model_context_t *ctx)
{
    return aot_kernel_fc_per_channel_packed_s8(&descriptor,
        ctx->tensor_ptrs[aot_tensor_15],
        ctx->tensor_ptrs[aot_tensor_fully_connected_6_packed],
        ctx->tensor_ptrs[aot_tensor_18]);
}
