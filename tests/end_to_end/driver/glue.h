/* Included once for each module, by a generated file that has included the module's headers and
 * defined PREFIX, MODULE_NAME, EXTERNAL_ARENAS, MANUAL_HYDRATION, SELF_TEST and the table SIDECARS
 * (for each region the file with its bytes, or null). */
#include "driver.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(suffix) JOIN(PREFIX, suffix)

static NAME(_model_context_t) context;

#if EXTERNAL_ARENAS
static void *arenas[NAME(_num_arena_buffers)];

static int32_t bind(void)
{
    size_t region;
    for (region = 0; region < (size_t)NAME(_num_arena_buffers); region++) {
        if (arenas[region] == NULL) {
            arenas[region] = arena_memory(NAME(_arena_alignments)[region],
                                          NAME(_arena_sizes)[region], SIDECARS[region]);
        }
    }
    return NAME(_bind_arenas)(arenas, NAME(_arena_sizes), (size_t)NAME(_num_arena_buffers));
}
#endif

static int32_t module_init(void)
{
    int32_t status = 0;
#if EXTERNAL_ARENAS
    status = bind();
    if (status != 0) {
        return status;
    }
#endif
    status = NAME(_model_init)(&context);
#if MANUAL_HYDRATION
    if (status == 0) {
        if (NAME(_model_run)(&context) != NAME(_status_hydration_required)) {
            return -1; /* a run before the constants are there must be refused */
        }
        status = NAME(_hydrate_constants)(&context);
    }
#endif
    return status;
}

static int32_t module_run(void)
{
    return NAME(_model_run)(&context);
}

#if SELF_TEST
static int32_t module_self_test(void)
{
    const int32_t status = NAME(_test_case_init)();
    return status != 0 ? status : NAME(_test_case_run)();
}
#endif

static unsigned char *module_input(int32_t index, size_t *size)
{
    *size = context.inputs[index].size;
    return (unsigned char *)context.inputs[index].data;
}

static const unsigned char *module_output(int32_t index, size_t *size)
{
    *size = context.outputs[index].size;
    return (const unsigned char *)context.outputs[index].data;
}

#ifdef __cplusplus
extern "C" {
#endif
extern const module_under_test NAME(_under_test);
const module_under_test NAME(_under_test) = {
    MODULE_NAME,       module_init,        module_run,
#if SELF_TEST
    module_self_test,
#else
    NULL,
#endif
    NAME(_num_inputs), NAME(_num_outputs), module_input, module_output,
};
#ifdef __cplusplus
}
#endif
