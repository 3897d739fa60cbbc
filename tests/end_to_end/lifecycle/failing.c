/* What a module does when an operator fails: operator 1 is ours and fails as it is told to. With
 * STRAIGHT the module's schedule is static, which calls nobody back. */
#include <stdio.h>
#include <string.h>

#include "aot_max_pool_2d_1.h"
#include "aot_model.h"

static int failures = 0;
static int32_t init_status = aot_status_ok;
static int32_t run_status = aot_status_ok;
static int32_t last_op = -1;
static int32_t last_status = -1;
static aot_operator_state_t last_state = aot_op_state_init_started;

static void check(int holds, const char *what, int line)
{
    if (!holds) {
        printf("FAIL line %d: %s\n", line, what);
        failures++;
    }
}
#define CHECK(condition) check(condition, #condition, __LINE__)

int32_t aot_max_pool_2d_1_init(aot_model_context_t *ctx)
{
    (void)ctx;
    return init_status;
}

int32_t aot_max_pool_2d_1_run(aot_model_context_t *ctx)
{
    (void)ctx;
    return run_status;
}

static void record(int32_t op, aot_operator_state_t state, int32_t status, void *user_data)
{
    (void)user_data;
    last_op = op;
    last_state = state;
    last_status = status;
}

/* The last call back was that operator 1 finished, with this status. */
static int stopped_at_1(aot_operator_state_t state, int32_t status)
{
#ifdef STRAIGHT
    (void)state;
    (void)status;
    return last_op == -1;
#else
    return last_op == 1 && last_state == state && last_status == status;
#endif
}

int main(void)
{
    static aot_model_context_t ctx;
    ctx.callback = record;

    init_status = aot_status_custom_first;
    CHECK(aot_model_init(&ctx) == aot_status_custom_first);
    CHECK(stopped_at_1(aot_op_state_init_finished, aot_status_custom_first));
    CHECK(aot_model_run(&ctx) == aot_status_not_initialized);

    init_status = aot_status_ok;
    run_status = aot_status_custom_last;
    CHECK(aot_model_init(&ctx) == aot_status_ok);
    CHECK(aot_model_run(&ctx) == aot_status_custom_last);
    CHECK(stopped_at_1(aot_op_state_run_finished, aot_status_custom_last));

    run_status = aot_status_ok;
    CHECK(aot_model_run(&ctx) == aot_status_ok); /* a failed run leaves the module usable */

    printf("%d wrong\n", failures);
    return failures != 0;
}
