/* SPDX-License-Identifier: 0BSD */
/* aot_model.h: initialises and runs demo.
 *
 *     static aot_model_context_t context;
 *
 *     status = aot_model_init(&context);
 *     write context.inputs[i].data
 *     status = aot_model_run(&context);
 *     read context.outputs[i].data
 *
 * README.md has the whole example. */
#ifndef AOT_MODEL_H
#define AOT_MODEL_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface. */
#define AOT_API_VERSION_MAJOR 1
#define AOT_API_VERSION_MINOR 1
#define AOT_API_VERSION_PATCH 0

/* Makes the context ready to run; may be called again at any time to start afresh. In order:
 * sets up the context (aot_context_init), sets state to its initial values,
 * initialises each operator. Returns aot_status_ok, or the first other status; the context
 * is then not initialised. */
int32_t aot_model_init(aot_model_context_t *ctx);

/* Runs the model once: reads the inputs, writes the outputs. State is carried to the next run.
 * Returns aot_status_ok, aot_status_null_context, aot_status_not_initialized,
 * or the first other status of an operator. */
int32_t aot_model_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
