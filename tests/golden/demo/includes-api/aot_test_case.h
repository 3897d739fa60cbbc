/* SPDX-License-Identifier: 0BSD */
/** @file
 * The self-test of module demo. */
#ifndef AOT_TEST_CASE_H
#define AOT_TEST_CASE_H

#include "aot_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Initialises the module for the test; call it before each aot_test_case_run().
 * @return what aot_model_init() returns */
int32_t aot_test_case_init(void);

/** Runs 4 stored invocation(s) in order and compares the outputs with the expected ones.
 * Compares the checksums of the constants too, since a wrong bit need not show in these outputs.
 * Prints the first difference, and each arena of constants that is wrong, through AOT_PRINTF.
 * @return 0 when all agree, else the number of wrong values and of such arenas; the status of aot_model_run()
 * when the model does not run */
int32_t aot_test_case_run(void);

#ifdef __cplusplus
}
#endif

#endif
