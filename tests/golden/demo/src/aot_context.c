/* SPDX-License-Identifier: 0BSD */
/* aot_context.c: sets up the context of module demo. */
#include "aot_context.h"

/* Whether every arena has an address, and one with the alignment that the kernels count on. */
static int32_t check_arenas(const void *const *buffers)
{
    size_t i;

    for (i = 0U; i < (size_t)aot_num_arena_buffers; i++) {
        if (((uintptr_t)buffers[i] % aot_arena_alignments[i]) != 0U) {
            return aot_status_bind_misaligned;
        }
    }
    return aot_status_ok;
}

int32_t aot_context_init(aot_model_context_t *ctx)
{
    size_t i;
    int32_t status;

    if (ctx == NULL) {
        return aot_status_null_context;
    }
    ctx->_lifecycle_state = 0U;
    ctx->arena_buffers = aot_arena_buffers;
    ctx->arena_sizes = aot_arena_sizes;
    status = check_arenas(ctx->arena_buffers);
    if (status != aot_status_ok) {
        return status;
    }
    for (i = 0U; i < (size_t)aot_num_tensors; i++) {
        const aot_tensor_descriptor_t *const tensor = &aot_tensor_descriptors[i];

        /* Constants are reached through `int8_t *` like all tensors; no kernel writes to them. */
        ctx->tensor_ptrs[i] =
            (int8_t *)(uintptr_t)ctx->arena_buffers[tensor->region] + tensor->offset;
    }

    ctx->inputs[0].id = aot_tensor_0;
    ctx->inputs[0].data = ctx->tensor_ptrs[aot_tensor_0];
    ctx->inputs[0].size = aot_input_0_nbytes;
    ctx->inputs[0].zero_point = aot_inputs_zero_point[0];
    ctx->inputs[0].scale = aot_inputs_scale[0];

    ctx->outputs[0].id = aot_tensor_19;
    ctx->outputs[0].data = ctx->tensor_ptrs[aot_tensor_19];
    ctx->outputs[0].size = aot_output_0_nbytes;
    ctx->outputs[0].zero_point = aot_outputs_zero_point[0];
    ctx->outputs[0].scale = aot_outputs_scale[0];

    ctx->_lifecycle_state = aot_lifecycle_context_ready;
    return aot_status_ok;
}

int8_t aot_context_has(const aot_model_context_t *ctx, uint32_t bits)
{
    return ((ctx->_lifecycle_state & bits) == bits) ? 1 : 0;
}
