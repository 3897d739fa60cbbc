/* Two modules of one model in one program, called in turn: neither sees anything of the other. Both
 * carry state. `two` has its constants staged, `aot` reads them where they are stored. */
#include <stdio.h>
#include <string.h>

#include "aot_model.h"
#include "two_model.h"

enum { RUNS = 4 };

static int failures = 0;

static void check(int holds, const char *what, int line)
{
    if (!holds) {
        printf("FAIL line %d: %s\n", line, what);
        failures++;
    }
}
#define CHECK(condition) check(condition, #condition, __LINE__)

static aot_model_context_t one;
static two_model_context_t two;
static int8_t expected[RUNS][aot_output_0_nbytes];

static int8_t value(int run)
{
    return (int8_t)(45 * run - 70);
}

static void run_one(int run)
{
    memset(one.inputs[0].data, value(run), one.inputs[0].size);
    CHECK(aot_model_run(&one) == aot_status_ok);
}

static void run_two(int run)
{
    memset(two.inputs[0].data, value(run), two.inputs[0].size);
    CHECK(two_model_run(&two) == two_status_ok);
}

static int same_one(int run)
{
    return memcmp(one.outputs[0].data, expected[run], sizeof expected[run]) == 0;
}

static int same_two(int run)
{
    return memcmp(two.outputs[0].data, expected[run], sizeof expected[run]) == 0;
}

int main(void)
{
    int run;

    CHECK(aot_model_init(&one) == aot_status_ok);
    for (run = 0; run < RUNS; run++) {
        run_one(run);
        memcpy(expected[run], one.outputs[0].data, sizeof expected[run]);
    }
    CHECK(memcmp(expected[0], expected[1], sizeof expected[0]) != 0);
    CHECK(two_model_run(&two) == two_status_not_initialized);

    /* In turn, the second one a run behind. */
    CHECK(aot_model_init(&one) == aot_status_ok);
    CHECK(two_model_init(&two) == two_status_ok);
    for (run = 0; run <= RUNS; run++) {
        if (run < RUNS) {
            run_one(run);
        }
        if (run > 0) {
            run_two(run - 1);
            CHECK(same_two(run - 1));
        }
        CHECK(run == RUNS || same_one(run));
    }

    /* The init of one leaves the other's state. */
    CHECK(aot_model_init(&one) == aot_status_ok);
    CHECK(two_model_init(&two) == two_status_ok);
    run_one(0);
    run_one(1);
    run_two(0);
    CHECK(two_model_init(&two) == two_status_ok);
    run_one(2);
    CHECK(same_one(2));
    run_two(0);
    CHECK(same_two(0));

    printf("%d wrong\n", failures);
    return failures != 0;
}
