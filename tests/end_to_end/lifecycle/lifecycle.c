/* Holds one generated module against the promises of its API: order of calls, status codes, state.
 *
 * Built several times: as it comes; with STAGED, where the application hydrates the constants, or
 * AUTO, where init does; with EXTERNAL, where it owns the arenas, bound from the last to the first
 * with BACKWARDS; with STRAIGHT, where the schedule is static. The model carries state from run to
 * run. */
#define _POSIX_C_SOURCE 200112L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aot_context.h"
#include "aot_model.h"
#include "aot_tensors.h"
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

/* What the callback saw. */
typedef struct {
    int32_t op[256];
    aot_operator_state_t state[256];
    int count;
    int statuses;
} trace_t;

static void record(int32_t op, aot_operator_state_t state, int32_t status, void *user_data)
{
    trace_t *trace = (trace_t *)user_data;
    if (trace->count < 256) {
        trace->op[trace->count] = op;
        trace->state[trace->count] = state;
    }
    trace->count++;
    trace->statuses |= status != 0;
}

/* Every operator starts and then finishes, in the order of the model. */
static int in_pairs(const trace_t *trace, aot_operator_state_t started,
                    aot_operator_state_t finished)
{
    int i;
    for (i = 0; i + 1 < trace->count; i += 2) {
        if (trace->op[i] != trace->op[i + 1] || trace->state[i] != started ||
            trace->state[i + 1] != finished || (i > 0 && trace->op[i] <= trace->op[i - 1])) {
            return 0;
        }
    }
    return trace->count % 2 == 0 && trace->count > 0 && !trace->statuses;
}

/* Called back as it should be: never, when the schedule is static. */
static int called(const trace_t *trace, aot_operator_state_t started, aot_operator_state_t finished)
{
#ifdef STRAIGHT
    (void)in_pairs;
    (void)started;
    (void)finished;
    return trace->count == 0;
#else
    return in_pairs(trace, started, finished);
#endif
}

static aot_model_context_t context;
static trace_t trace;

/* After an init that leaves constants to the application: hydrates them. */
static void hydrate(void)
{
#ifdef STAGED
    CHECK(aot_hydrate_constants(&context) == aot_status_ok);
#endif
}

static void run_on(int8_t value, int8_t *output)
{
    memset(context.inputs[0].data, value, context.inputs[0].size);
    CHECK(aot_model_run(&context) == aot_status_ok);
    memcpy(output, context.outputs[0].data, context.outputs[0].size);
}

#ifdef EXTERNAL
static void *memory_for(size_t region)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, aot_arena_sizes[region] + 64) != 0) {
        exit(2);
    }
    memset(memory, 0x5A, aot_arena_sizes[region] + 64);
    return memory;
}

/* The bytes of a cold arena of constants are in a file beside the module. */
static void load(void *memory, size_t size, const char *file)
{
    FILE *stream = fopen(file, "rb");
    CHECK(stream != NULL && fread(memory, 1, size, stream) == size);
    if (stream != NULL) {
        fclose(stream);
    }
}

/* What is refused, in the order of the checks: region, null, size, alignment. */
static void check_refused_bindings(void *const *buffers, const size_t *sizes)
{
    const size_t n = (size_t)aot_num_arena_buffers;
    void *wrong_buffers[aot_num_arena_buffers];
    size_t wrong_sizes[aot_num_arena_buffers];
    CHECK(aot_bind_arena(aot_num_arena_buffers, NULL, 0) == aot_status_bind_unknown_region);
    CHECK(aot_bind_arena(aot_arena_dtcm, NULL, 0) == aot_status_bind_null_buffer);
    CHECK(aot_bind_arena(aot_arena_dtcm, (char *)buffers[0] + 1, sizes[0] - 1) ==
          aot_status_bind_undersized);
    CHECK(aot_bind_arena(aot_arena_dtcm, (char *)buffers[0] + 1, sizes[0]) ==
          aot_status_bind_misaligned);
    CHECK(aot_bind_arenas(NULL, sizes, n) == aot_status_bind_bulk_null_argument);
    CHECK(aot_bind_arenas(buffers, NULL, n) == aot_status_bind_bulk_null_argument);
    CHECK(aot_bind_arenas(NULL, NULL, n - 1) == aot_status_bind_bulk_null_argument);
    CHECK(aot_bind_arenas(buffers, sizes, n - 1) == aot_status_bind_bulk_wrong_count);
    CHECK(aot_bind_arenas(buffers, sizes, n + 1) == aot_status_bind_bulk_wrong_count);
    CHECK(aot_bind_arenas(buffers, sizes, 0) == aot_status_bind_bulk_wrong_count);
    memcpy(wrong_buffers, buffers, sizeof wrong_buffers);
    memcpy(wrong_sizes, sizes, sizeof wrong_sizes);
    wrong_buffers[n - 1] = NULL; /* the last of them: those before it must not be bound either */
    CHECK(aot_bind_arenas(wrong_buffers, sizes, n) == aot_status_bind_null_buffer);
    wrong_buffers[n - 1] = (char *)buffers[n - 1] + 1;
    CHECK(aot_bind_arenas(wrong_buffers, sizes, n) == aot_status_bind_misaligned);
    wrong_sizes[n - 1]--;
    CHECK(aot_bind_arenas(buffers, wrong_sizes, n) == aot_status_bind_undersized);
    CHECK(aot_bind_arenas(wrong_buffers, wrong_sizes, n) == aot_status_bind_undersized);
}

/* The region that is bound as the k-th. */
static aot_arena_region_t region_of_turn(size_t k)
{
#ifdef BACKWARDS
    return (aot_arena_region_t)((size_t)aot_num_arena_buffers - 1 - k);
#else
    return (aot_arena_region_t)k;
#endif
}

static void check_binding(const char *constants)
{
    const size_t n = (size_t)aot_num_arena_buffers;
    void *buffers[aot_num_arena_buffers];
    void *others[aot_num_arena_buffers];
    size_t sizes[aot_num_arena_buffers];
    static aot_model_context_t second;
    int8_t before[aot_output_0_nbytes];
    int8_t after[aot_output_0_nbytes];
    size_t r;
    for (r = 0; r < n; r++) {
        buffers[r] = memory_for(r);
        others[r] = memory_for(r);
        sizes[r] = aot_arena_sizes[r];
    }
    load(buffers[aot_arena_const_dtcm], sizes[aot_arena_const_dtcm], constants);
    load(others[aot_arena_const_dtcm], sizes[aot_arena_const_dtcm], constants);

    CHECK(aot_arena_buffers_table_any_unbound() == 1);
    CHECK(aot_test_case_init() == aot_status_context_arena_unbound);
    CHECK(aot_test_case_run() == aot_status_not_initialized);
    CHECK(aot_model_init(&context) == aot_status_context_arena_unbound);
    CHECK(aot_model_run(&context) == aot_status_not_initialized);
    check_refused_bindings(buffers, sizes);
    for (r = 0; r < n; r++) {
        /* Nothing that was refused is bound, and one that is missing is missed. */
        CHECK(aot_model_init(&context) == aot_status_context_arena_unbound);
        CHECK(aot_bind_arena(region_of_turn(r), buffers[region_of_turn(r)],
                             sizes[region_of_turn(r)]) == aot_status_ok);
    }
    CHECK(aot_arena_buffers_table_any_unbound() == 0);
    CHECK(memcmp(aot_arena_buffers_table_view(), buffers, sizeof buffers) == 0);
    CHECK(aot_model_init(&context) == aot_status_ok);
    run_on(3, before);

    /* What is refused changes nothing: the module runs on, on the same arenas. */
    check_refused_bindings(others, sizes);
    CHECK(memcmp(aot_arena_buffers_table_view(), buffers, sizeof buffers) == 0);
    CHECK(aot_model_run(&context) == aot_status_ok);

    /* Binding anew, one or all, even the same again, takes every context back to before its init.
     */
    CHECK(aot_model_init(&second) == aot_status_ok);
    CHECK(aot_bind_arena(aot_arena_dtcm, buffers[0], sizes[0] + 64) == aot_status_ok);
    CHECK(aot_model_run(&context) == aot_status_not_initialized);
    CHECK(aot_model_run(&second) == aot_status_not_initialized);
    CHECK(aot_model_init(&context) == aot_status_ok);
    CHECK(aot_model_run(&second) == aot_status_not_initialized);
    CHECK(aot_bind_arenas(others, sizes, n) == aot_status_ok);
    CHECK(aot_model_run(&context) == aot_status_not_initialized);
    CHECK(aot_model_init(&context) == aot_status_ok);
    for (r = 0; r < n; r++) {
        memset(buffers[r], 0x33, sizes[r]); /* nothing of them is used any more */
    }
    run_on(3, after);
    CHECK(memcmp(before, after, sizeof before) == 0);
}
#endif

static void check_null_and_order(void)
{
    CHECK(aot_model_init(NULL) == aot_status_null_context);
    CHECK(aot_model_run(NULL) == aot_status_null_context);
    CHECK(aot_model_run(&context) == aot_status_not_initialized);
#ifdef STAGED
    CHECK(aot_hydrate_constants(NULL) == aot_status_null_context);
    CHECK(aot_hydrate_constants(&context) == aot_status_hydrate_uninited_context);
#endif
}

/* Context init alone takes back what init and hydration have set. */
static void check_context_init(void)
{
    CHECK(aot_context_init(NULL) == aot_status_null_context);
    CHECK(aot_model_init(&context) == aot_status_ok);
    hydrate();
    CHECK(aot_model_run(&context) == aot_status_ok);
    CHECK(aot_context_init(&context) == aot_status_ok);
    CHECK(aot_model_run(&context) == aot_status_not_initialized);
}

/* The module has one state, whichever context it is run with. */
static void check_two_contexts(void)
{
    static aot_model_context_t second;
    int8_t expected[3][aot_output_0_nbytes];
    int8_t output[aot_output_0_nbytes];
    int i;
    CHECK(aot_model_init(&context) == aot_status_ok);
    hydrate();
    for (i = 0; i < 3; i++) {
        run_on((int8_t)(40 * i - 60), expected[i]);
    }
    CHECK(aot_model_run(&second) == aot_status_not_initialized);
    CHECK(aot_model_init(&second) == aot_status_ok); /* the first one's state is gone with that */
    for (i = 0; i < 3; i++) {
        run_on((int8_t)(40 * i - 60), output);
        CHECK(memcmp(output, expected[i], sizeof output) == 0);
    }
    CHECK(second.inputs[0].data == context.inputs[0].data);
}

#ifdef AUTO
/* Init puts the constants in place again, also when something has overwritten them. */
static void check_hydrates_again(void)
{
    int8_t before[aot_output_0_nbytes];
    int8_t after[aot_output_0_nbytes];
    CHECK(aot_model_init(&context) == aot_status_ok);
    run_on(9, before);
    memset((int8_t *)(uintptr_t)context.arena_buffers[aot_arena_const_dtcm], 0,
           aot_arena_const_dtcm_size);
    CHECK(aot_model_init(&context) == aot_status_ok);
    run_on(9, after);
    CHECK(memcmp(before, after, sizeof before) == 0);
    CHECK(memcmp(context.arena_buffers[aot_arena_const_dtcm], aot_arena_const_dtcm__source,
                 aot_arena_const_dtcm_size) == 0);
}
#endif

/* The numbers are part of the interface. */
static void check_numbers(void)
{
    CHECK(aot_status_ok == 0 && aot_status_bind_unknown_region == 1);
    CHECK(aot_status_bind_null_buffer == 2 && aot_status_bind_undersized == 3);
    CHECK(aot_status_bind_misaligned == 4 && aot_status_context_arena_unbound == 10);
    CHECK(aot_status_hydrate_uninited_context == 11 && aot_status_hydrate_null_blob == 12);
    CHECK(aot_status_null_context == 13 && aot_status_not_initialized == 14);
    CHECK(aot_status_bind_bulk_null_argument == 100 && aot_status_bind_bulk_wrong_count == 101);
    CHECK(aot_status_hydration_required == 200);
    CHECK(aot_status_custom_first == 1000 && aot_status_custom_last == 1999);
    CHECK(aot_op_state_init_started == 0 && aot_op_state_init_finished == 1);
    CHECK(aot_op_state_run_started == 2 && aot_op_state_run_finished == 3);
}

static void check_callbacks(void)
{
    static trace_t other;
    int8_t output[aot_output_0_nbytes];
    context.callback = record;
    context.user_data = &trace;
    CHECK(aot_model_init(&context) == aot_status_ok);
    CHECK(context.callback == record && context.user_data == &trace);
    CHECK(called(&trace, aot_op_state_init_started, aot_op_state_init_finished));
#ifdef STAGED
    CHECK(aot_model_run(&context) == aot_status_hydration_required);
#endif
    hydrate();
    memset(&trace, 0, sizeof trace);
    run_on(1, output);
    CHECK(called(&trace, aot_op_state_run_started, aot_op_state_run_finished));
    context.callback = NULL; /* may change between runs */
    memset(&trace, 0, sizeof trace);
    run_on(1, output);
    CHECK(trace.count == 0);
    context.user_data = &other;
    context.callback = record;
    run_on(1, output);
    CHECK(trace.count == 0);
    CHECK(called(&other, aot_op_state_run_started, aot_op_state_run_finished));
    context.callback = NULL; /* and init needs none */
    CHECK(aot_model_init(&context) == aot_status_ok);
    CHECK(context.callback == NULL);
}

/* State goes from run to run, and init takes it back to the start. */
static void check_state(void)
{
    int8_t first[3][aot_output_0_nbytes], second[3][aot_output_0_nbytes];
    int i;
    CHECK(aot_model_init(&context) == aot_status_ok);
    hydrate();
    for (i = 0; i < 3; i++) {
        run_on((int8_t)(40 * i - 60), first[i]);
    }
    CHECK(aot_model_init(&context) == aot_status_ok);
#ifdef STAGED
    CHECK(aot_model_run(&context) == aot_status_hydration_required);
#endif
    hydrate();
    for (i = 0; i < 3; i++) {
        run_on((int8_t)(40 * i - 60), second[i]);
    }
    CHECK(memcmp(first, second, sizeof first) == 0);
    run_on(20, first[0]); /* the same input as the third run, but a run later */
    CHECK(memcmp(first[0], second[2], sizeof first[0]) != 0);
}

static void check_tables(void)
{
    int i;
    CHECK(AOT_API_VERSION_MAJOR == 1 && AOT_API_VERSION_MINOR == 1 && AOT_API_VERSION_PATCH == 0);
    CHECK(strlen(AOT_PLAN_HASH) == 16);
    for (i = 0; i < aot_num_inputs; i++) {
        CHECK(context.inputs[i].id == aot_inputs_id[i]);
        CHECK(context.inputs[i].zero_point == aot_inputs_zero_point[i]);
        CHECK(memcmp(&context.inputs[i].scale, &aot_inputs_scale[i], sizeof(float)) == 0);
    }
    CHECK(context.inputs[0].size == aot_input_0_nbytes);
    CHECK(aot_inputs_len[0] == aot_input_0_size);
    CHECK(context.outputs[0].size == aot_output_0_nbytes);
    CHECK(aot_outputs_len[0] == aot_output_0_size);
    CHECK(context.outputs[0].id == aot_outputs_id[0]);
}

int main(int argc, char **argv)
{
    check_null_and_order();
#ifdef EXTERNAL
    check_binding(argc > 1 ? argv[1] : "");
#else
    (void)argc;
    (void)argv;
#endif
    check_callbacks();
    check_state();
    check_context_init();
    check_two_contexts();
#ifdef AUTO
    check_hydrates_again();
#endif
    check_numbers();
    check_tables();
    CHECK(aot_test_case_init() == 0);
    CHECK(aot_test_case_run() == 0);
    printf("%d wrong\n", failures);
    return failures != 0;
}
