/* SPDX-License-Identifier: 0BSD */
/** @file
 * The context that the functions of module demo work on. */
#ifndef AOT_CONTEXT_H
#define AOT_CONTEXT_H

#include "aot_platform.h"
#include "aot_tensors.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where an operator is when the callback is called. */
typedef enum {
    aot_op_state_init_started = 0, /**< before its init */
    aot_op_state_init_finished,    /**< after its init, with the status that it returned */
    aot_op_state_run_started,      /**< before its run */
    aot_op_state_run_finished      /**< after its run, with the status that it returned */
} aot_operator_state_t;

/** Called before and after each operator's init and run.
 * @param op the operator's number in the model
 * @param state where the operator is
 * @param status what it returned; aot_status_ok before it starts
 * @param user_data the context's */
typedef void (*aot_operator_callback)(int32_t op, aot_operator_state_t state, int32_t status,
                                      void *user_data);

/** The application sets every byte of a context to zero before its first init, for example by
 * making it a static object. Init keeps `callback` and `user_data`; both may change between
 * calls.
 *
 * Write the inputs before every run: a run may use their memory (`aot_input_0_preserved` and so on).
 *
 * Arenas, their bindings and the state of the constants belong to the module: two contexts are
 * not two instances of the model, and calls must not overlap in time. */
typedef struct {
    aot_operator_callback callback; /**< may be null */
    void *user_data; /**< passed on to the callback */
    const void *const *arena_buffers; /**< by aot_arena_region_t, set by init */
    const size_t *arena_sizes; /**< bytes */
    uint32_t _lifecycle_state; /**< internal */
    int8_t *tensor_ptrs[aot_num_tensors]; /**< internal */
    aot_tensor_io_t inputs[aot_num_inputs]; /**< write `data` before every run */
    aot_tensor_io_t outputs[aot_num_outputs]; /**< read `data` after a run, before the next */
} aot_model_context_t;

/** Sets up a context: the addresses of tensors, inputs and outputs. aot_model_init() does this and
 * more.
 * @param ctx the context
 * @return aot_status_ok, aot_status_null_context, aot_status_context_arena_unbound, or
 * aot_status_bind_misaligned when an arena's address does not have its alignment */
int32_t aot_context_init(aot_model_context_t *ctx);

/* Internal: the bits of `_lifecycle_state`. */
#define aot_lifecycle_context_ready 1U  /**< aot_context_init has succeeded; internal */
#define aot_lifecycle_hydrated 2U       /**< the staged constants are in place; internal */
#define aot_lifecycle_initialized 4U    /**< aot_model_init has succeeded; internal */

/** Internal: whether all the `bits` are set.
 * @param ctx the context, not null
 * @param bits of `_lifecycle_state`
 * @return 1 or 0 */
int8_t aot_context_has(const aot_model_context_t *ctx, uint32_t bits);

#ifdef __cplusplus
}
#endif

#endif
