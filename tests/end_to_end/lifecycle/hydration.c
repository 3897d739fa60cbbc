/* An application that brings the staged constants itself: its function is called by init, may
 * fail, and may forget to say that it has finished. With MANUAL, init leaves it to the application.
 * With NULL_SOURCE the module's own function is kept, and the constants are not in the image. With
 * EXTERNAL the arenas are the application's. */
#include <stdio.h>
#include <string.h>

#include "aot_model.h"
#include "aot_test_case.h"

static int failures = 0;

static void check(int holds, const char *what, int line)
{
    if (!holds) {
        printf("FAIL line %d: %s\n", line, what);
        failures++;
    }
}
#define CHECK(condition) check(condition, #condition, __LINE__)

static aot_model_context_t context;

#ifdef NULL_SOURCE

static void check_hydration(void)
{
    CHECK(aot_model_init(&context) == aot_status_hydrate_null_blob);
    CHECK(aot_model_run(&context) == aot_status_not_initialized);
    CHECK(aot_test_case_init() == aot_status_hydrate_null_blob);
}

#else

/* What the application's function does when it is called. */
static int calls = 0;
static int32_t answer = 0;
static int says_so = 1;

int32_t aot_hydrate_constants(aot_model_context_t *ctx)
{
    calls++;
    if (answer != 0) {
        return answer;
    }
    memcpy((int8_t *)(uintptr_t)ctx->arena_buffers[aot_arena_const_dtcm],
           aot_arena_const_dtcm__source, aot_arena_const_dtcm_size);
    if (says_so) {
        aot_constants_hydrated(ctx);
    }
    return 0;
}

#ifdef MANUAL

static void check_hydration(void)
{
    aot_constants_hydrated(NULL);
    aot_constants_hydrated(&context); /* means nothing before init */
    CHECK(aot_model_init(&context) == aot_status_ok);
    CHECK(calls == 0);
    CHECK(aot_model_run(&context) == aot_status_hydration_required);
    answer = 77;
    CHECK(aot_hydrate_constants(&context) == 77);
    CHECK(aot_model_run(&context) == aot_status_hydration_required);
    answer = 0;
    says_so = 0;
    CHECK(aot_hydrate_constants(&context) == aot_status_ok);
    CHECK(aot_model_run(&context) == aot_status_hydration_required);
    aot_constants_hydrated(&context);
    CHECK(aot_model_run(&context) == aot_status_ok);
    says_so = 1;
}

#else

static void check_hydration(void)
{
    answer = 77;
    CHECK(aot_model_init(&context) == 77);
    CHECK(aot_model_run(&context) == aot_status_not_initialized);
    answer = 0;
    CHECK(aot_model_init(&context) == aot_status_ok);
    CHECK(calls == 2);
    CHECK(aot_model_run(&context) == aot_status_ok);
    says_so = 0; /* init knows from the status */
    CHECK(aot_model_init(&context) == aot_status_ok);
    CHECK(aot_model_run(&context) == aot_status_ok);
    answer = 77; /* a failed init takes the module back */
    CHECK(aot_model_init(&context) == 77);
    CHECK(aot_model_run(&context) == aot_status_not_initialized);
    answer = 0;
}

#endif
#endif

#ifdef EXTERNAL
/* Once: what fails in between must leave the bindings as they are. */
static void bind(void)
{
    static AOT_ALIGNED(64) int8_t memory[(size_t)aot_num_arena_buffers][65536];
    size_t r;
    for (r = 0; r < (size_t)aot_num_arena_buffers; r++) {
        CHECK(aot_bind_arena((aot_arena_region_t)r, memory[r], sizeof memory[r]) == aot_status_ok);
    }
}
#endif

int main(void)
{
#ifdef EXTERNAL
    bind();
#endif
    check_hydration();
#ifndef NULL_SOURCE
    CHECK(aot_test_case_init() == 0);
    CHECK(aot_test_case_run() == 0);
#endif
    printf("%d wrong\n", failures);
    return failures != 0;
}
