/* Runs vectors on many modules in one image on a board. Vectors as tests/lib/modules.py writes
 * them: the module's number and the number of invocations, 32 bits each, then for each invocation
 * the inputs and the expected outputs. Results: for each vector the status of init, then for each
 * invocation the status of run and the outputs. */
#include "driver.h"
#include "target.h"

void* arena_memory(size_t alignment, size_t size, const char* file) {
    (void)alignment;
    (void)size;
    (void)file;
    return 0; /* the modules own their arenas */
}

static void skip(size_t size) {
    unsigned char ignored[64];
    while (size != 0) {
        const size_t part = size < sizeof ignored ? size : sizeof ignored;
        (void)target_read(ignored, part);
        size -= part;
    }
}

static void invocation(const module_under_test* module) {
    int32_t status;
    int32_t k;
    size_t size = 0;
    for (k = 0; k < module->inputs; k++) {
        unsigned char* data = module->input(k, &size);
        (void)target_read(data, size);
    }
    status = module->run();
    target_write(&status, sizeof status);
    for (k = 0; k < module->outputs; k++) {
        const unsigned char* data = module->output(k, &size);
        target_write(data, size);
        skip(size);
    }
}

int main(void) {
    uint32_t number = 0, invocations = 0;
    while (target_read(&number, sizeof number) && target_read(&invocations, sizeof invocations)) {
        const module_under_test* module = modules_under_test[number];
        const int32_t status = module->init();
        target_write(&status, sizeof status);
        for (; invocations != 0; invocations--) {
            invocation(module);
        }
    }
    return 0;
}
