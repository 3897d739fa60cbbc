/* A program around many generated modules: what it knows of each. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;
    int32_t (*init)(void); /* binds arenas and hydrates where that is the application's */
    int32_t (*run)(void);
    int32_t (*self_test)(void); /* null: the module has none */
    int32_t inputs;
    int32_t outputs;
    unsigned char *(*input)(int32_t index, size_t *size);
    const unsigned char *(*output)(int32_t index, size_t *size);
} module_under_test;

/* The generated table, ended by an entry without a name. */
extern const module_under_test *const modules_under_test[];

/* Memory for one arena, of exactly this size, so that AddressSanitizer sees its end. It holds the
 * file's bytes, or, without a file, bytes that no module may rely on. */
void *arena_memory(size_t alignment, size_t size, const char *file);

#ifdef __cplusplus
}
#endif

#endif
