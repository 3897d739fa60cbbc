/* SPDX-License-Identifier: 0BSD */
/* aot_model.c: initialises and runs demo. */
#include "aot_model.h"

#include <string.h>

#include "aot_operators.h"

/* The operators in the order in which they run. */
typedef struct {
    int32_t op; /* its number in the model */
    int32_t (*init)(aot_model_context_t *ctx); /* null: nothing to initialise */
    int32_t (*run)(aot_model_context_t *ctx);
} operator_row_t;

static const operator_row_t operators[] = {
    {0, aot_conv_2d_0_init, aot_conv_2d_0_run},
    {1, aot_max_pool_2d_1_init, aot_max_pool_2d_1_run},
    {2, aot_conv_2d_2_init, aot_conv_2d_2_run},
    {3, aot_average_pool_2d_3_init, aot_average_pool_2d_3_run},
    {4, aot_reshape_4_init, aot_reshape_4_run},
    {5, aot_svdf_5_init, aot_svdf_5_run},
    {6, NULL, aot_fully_connected_6_run},
    {7, aot_softmax_7_init, aot_softmax_7_run},
};

#define NUM_OPERATORS (sizeof(operators) / sizeof(operators[0]))

static void report(const aot_model_context_t *ctx, int32_t op, aot_operator_state_t state,
                   int32_t status)
{
    if (ctx->callback != NULL) {
        ctx->callback(op, state, status, ctx->user_data);
    }
}

static int32_t init_operators(aot_model_context_t *ctx)
{
    int32_t status = aot_status_ok;
    size_t i;

    for (i = 0U; (i < NUM_OPERATORS) && (status == aot_status_ok); i++) {
        const operator_row_t *const row = &operators[i];

        if (row->init != NULL) {
            report(ctx, row->op, aot_op_state_init_started, aot_status_ok);
            status = row->init(ctx);
            report(ctx, row->op, aot_op_state_init_finished, status);
        }
    }
    return status;
}

/* Sets persistent tensors to their initial values. */
static void reset_state(aot_model_context_t *ctx)
{
    (void)memset(ctx->tensor_ptrs[aot_tensor_14], 0, 128U);
}

int32_t aot_model_init(aot_model_context_t *ctx)
{
    int32_t status = aot_context_init(ctx);

    if (status != aot_status_ok) {
        return status;
    }
    reset_state(ctx);
    status = init_operators(ctx);
    if (status == aot_status_ok) {
        ctx->_lifecycle_state |= aot_lifecycle_initialized;
    } else {
        ctx->_lifecycle_state = 0U;
    }
    return status;
}

int32_t aot_model_run(aot_model_context_t *ctx)
{
    int32_t status = aot_status_ok;
    size_t i;

    if (ctx == NULL) {
        return aot_status_null_context;
    }
    if (aot_context_has(ctx, aot_lifecycle_initialized) == 0) {
        return aot_status_not_initialized;
    }
    for (i = 0U; (i < NUM_OPERATORS) && (status == aot_status_ok); i++) {
        const operator_row_t *const row = &operators[i];

        report(ctx, row->op, aot_op_state_run_started, aot_status_ok);
        status = row->run(ctx);
        report(ctx, row->op, aot_op_state_run_finished, status);
    }
    return status;
}
