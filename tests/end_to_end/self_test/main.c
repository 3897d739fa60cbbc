/* Calls a module's self-test and prints what it returns.
 *
 * With EXTERNAL the arenas are bound here, and of the constants one bit can be wrong:
 * program SIDECAR [BYTE BIT]. */
#include <stdio.h>
#include <stdlib.h>

#include "aot_test_case.h"

#ifdef EXTERNAL
static void bind(const char* sidecar, size_t byte, unsigned bit) {
    static AOT_ALIGNED(64) int8_t memory[(size_t)aot_num_arena_buffers][65536];
    size_t r;
    FILE* stream = fopen(sidecar, "rb");

    if (stream == NULL || fread(memory[aot_arena_const_dtcm], 1, aot_arena_const_dtcm_size,
                                stream) != aot_arena_const_dtcm_size) {
        exit(2);
    }
    fclose(stream);
    memory[aot_arena_const_dtcm][byte] = (int8_t)(memory[aot_arena_const_dtcm][byte] ^ (int)bit);
    for (r = 0; r < (size_t)aot_num_arena_buffers; r++) {
        if (aot_bind_arena((aot_arena_region_t)r, memory[r], sizeof memory[r]) != aot_status_ok) {
            exit(2);
        }
    }
}
#endif

int main(int argc, char** argv) {
    int times;

#ifdef EXTERNAL
    printf("unbound %ld\n", (long)aot_test_case_init());
    bind(argc > 1 ? argv[1] : "", argc > 3 ? (size_t)atol(argv[2]) : 0U,
         argc > 3 ? 1U << atoi(argv[3]) : 0U);
#else
    (void)argc;
    (void)argv;
#endif
    printf("early %ld\n", (long)aot_test_case_run());
    for (times = 0; times < 2; times++) { /* a second time it must say the same */
        printf("init %ld\n", (long)aot_test_case_init());
        printf("run %ld\n", (long)aot_test_case_run());
    }
    return 0;
}
