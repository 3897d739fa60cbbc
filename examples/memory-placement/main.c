/* Runs one generated module on the host with three made-up spectrograms and prints its scores.
 *
 * With APPLICATION_ARENAS the module was converted with memory.allocate_arenas=false: this program
 * owns the memory and binds it. The argument is then the sidecar with the staged weights: after the
 * first init the writable arena must hold exactly its bytes. */
#include <stdio.h>
#include <string.h>

#include "aot_model.h"
#include "aot_tensors.h"

#ifdef APPLICATION_ARENAS

#define ALIGNED(n) __attribute__((aligned(n)))

/* On the target these two would be placed by the linker script, both in dtcm. */
static int8_t work[aot_arena_dtcm_size] ALIGNED(aot_arena_dtcm_alignment);
static int8_t weights[aot_arena_const_dtcm_size] ALIGNED(aot_arena_const_dtcm_alignment);

static int bind_arenas(void)
{
    int32_t status = aot_bind_arena(aot_arena_dtcm, work, sizeof work);
    if (status == 0) {
        status = aot_bind_arena(aot_arena_const_dtcm, weights, sizeof weights);
    }
    if (status != 0) {
        fprintf(stderr, "binding the arenas failed with status %ld\n", (long)status);
    }
    return status == 0;
}

static int weights_are_those_of(const char *sidecar)
{
    static int8_t bytes[sizeof weights];
    FILE *stream = fopen(sidecar, "rb");
    size_t got = 0;
    if (stream != NULL) {
        got = fread(bytes, 1, sizeof bytes, stream);
        fclose(stream);
    }
    if (got != sizeof bytes || memcmp(weights, bytes, sizeof bytes) != 0) {
        fprintf(stderr, "the staged weights are not those of %s\n", sidecar);
        return 0;
    }
    return 1;
}

#endif

/* A context is zero before its first init: static storage sees to that. */
static aot_model_context_t context;

int main(int argc, char **argv)
{
    uint32_t state = 2463534242u;
    int run;
#ifdef APPLICATION_ARENAS
    if (argc != 2 || !bind_arenas()) {
        return 1;
    }
#else
    (void)argc;
    (void)argv;
#endif
    if (aot_model_init(&context) != aot_status_ok) {
        fprintf(stderr, "init failed\n");
        return 1;
    }
#ifdef APPLICATION_ARENAS
    if (!weights_are_those_of(argv[1])) {
        return 1;
    }
#endif
    for (run = 0; run < 3; run++) {
        size_t i;
        for (i = 0; i < aot_input_0_size; i++) { /* values around the zero point */
            state = state * 1664525u + 1013904223u;
            context.inputs[0].data[i] =
                (int8_t)(aot_inputs_zero_point[0] + (int32_t)(state >> 27) - 24 - 4 * run);
        }
        if (aot_model_run(&context) != aot_status_ok) {
            fprintf(stderr, "run failed\n");
            return 1;
        }
        for (i = 0; i < aot_output_0_size; i++) {
            printf("%d%c", context.outputs[0].data[i], i + 1 < aot_output_0_size ? ' ' : '\n');
        }
    }
    return 0;
}
