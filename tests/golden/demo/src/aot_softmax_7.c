/* SPDX-License-Identifier: 0BSD */
/* SOFTMAX, operator 7: softmax_7
 *
 * input aot_tensor_18: 1x10 int8, scale 0.023579128, zero point 22; fc_6
 * output aot_tensor_19: 1x10 int8, scale 0.00390625, zero point -128; softmax_7
 *
 * Kernel: softmax_s8
 * Costs: 0 multiply-accumulates, 40 bytes read and written.
 * Bytes: 0 of constants, 0 of scratch.
 */
#include "aot_softmax_7.h"

#include "aot_kernels.h"

static const aot_softmax_s8_desc_t descriptor = {
    /* rows */ 1,
    /* depth */ 10,
    /* multiplier */ 1620345344,
    /* shift */ 21,
    /* diff_min */ -992
};

int32_t aot_softmax_7_init(aot_model_context_t *ctx)
{
    (void)ctx; /* nothing to prepare: the descriptor is complete */
    return aot_status_ok;
}

int32_t aot_softmax_7_run(aot_model_context_t *ctx)
{
    return aot_kernel_softmax_s8(&descriptor,
        ctx->tensor_ptrs[aot_tensor_18],
        ctx->tensor_ptrs[aot_tensor_19]);
}
