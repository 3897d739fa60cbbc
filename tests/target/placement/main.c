/* Links a module: nothing of it runs here. With EXTERNAL the application owns the arenas. */
#include "aot_model.h"

#ifdef EXTERNAL
/* The constants come from the module's sidecar; see constants.s. */
extern const int8_t application_constants[];

AOT_PUT_IN_DTCM AOT_ALIGNED(aot_arena_dtcm_alignment)
int8_t application_scratch[aot_arena_dtcm_size];
AOT_PUT_IN_SRAM AOT_ALIGNED(aot_arena_persistent_sram_alignment)
int8_t application_state[aot_arena_persistent_sram_size];
#endif

static aot_model_context_t context;
int main(void);

/* What the compiler may call, so that no C library is needed. */
void* memcpy(void* to, const void* from, size_t size);
void* memmove(void* to, const void* from, size_t size);
void* memset(void* to, int value, size_t size);

void* memcpy(void* to, const void* from, size_t size) {
    size_t i;
    for (i = 0; i < size; i++) {
        ((volatile int8_t*)to)[i] = ((const int8_t*)from)[i];
    }
    return to;
}

void* memmove(void* to, const void* from, size_t size) {
    size_t i;
    for (i = 0; i < size; i++) {
        const size_t at = ((uintptr_t)to < (uintptr_t)from) ? i : (size - 1U - i);
        ((volatile int8_t*)to)[at] = ((const int8_t*)from)[at];
    }
    return to;
}

void* memset(void* to, int value, size_t size) {
    size_t i;
    for (i = 0; i < size; i++) {
        ((volatile int8_t*)to)[i] = (int8_t)value;
    }
    return to;
}

int main(void) {
    int32_t status = aot_status_ok;

#ifdef EXTERNAL
    status = aot_bind_arena(aot_arena_dtcm, application_scratch, sizeof application_scratch);
    if (status == aot_status_ok) {
        status =
            aot_bind_arena(aot_arena_persistent_sram, application_state, sizeof application_state);
    }
    if (status == aot_status_ok) {
        status = aot_bind_arena(aot_arena_const_mram, (void*)(uintptr_t)application_constants,
                                aot_arena_const_mram_size);
    }
#endif
    if (status == aot_status_ok) {
        status = aot_model_init(&context);
    }
    if (status == aot_status_ok) {
        status = aot_model_run(&context);
    }
    return (int)status;
}
