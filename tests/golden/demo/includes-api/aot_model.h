/* SPDX-License-Identifier: 0BSD */
/* The model: demo */
/** @file
 * Initialises and runs the model of module demo.
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

/** Version of this interface: changes when a program that uses it has to change. */
#define AOT_API_VERSION_MAJOR 1
/** Changes when something is added. */
#define AOT_API_VERSION_MINOR 1
/** Changes when something is mended. */
#define AOT_API_VERSION_PATCH 0

/** Makes the context ready to run; may be called again at any time to start afresh. In order:
 * sets up the context (aot_context_init()), sets state to its initial values,
 * initialises each operator.
 * @param ctx the context, every byte zero before its first init
 * @return aot_status_ok, or the first other status; the context is then not initialised */
int32_t aot_model_init(aot_model_context_t *ctx);

/** Runs the model once: reads the inputs, writes the outputs. State is carried to the next run.
 * @param ctx an initialised context; its inputs have been written
 * @return aot_status_ok, aot_status_null_context, aot_status_not_initialized,
 * or the first other status of an operator */
int32_t aot_model_run(aot_model_context_t *ctx);

#ifdef __cplusplus
}
#endif

#endif
