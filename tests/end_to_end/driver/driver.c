/* Runs every vector of a file on the modules and compares every byte of every output.
 *
 * usage: program VECTORS
 *
 * VECTORS holds records: the module's number and the number of invocations (32 bits each,
 * little-endian), then for each invocation the inputs and the expected outputs. A vector begins
 * with the module's init. */
#define _POSIX_C_SOURCE 200112L

#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *expected_bytes = NULL;
static size_t expected_capacity = 0;

static void die(const char *what, const char *name)
{
    fprintf(stderr, "driver: %s: %s\n", what, name);
    exit(2);
}

void *arena_memory(size_t alignment, size_t size, const char *file)
{
    void *memory = NULL;
    if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) !=
        0) {
        die("out of memory", "arena");
    }
    memset(memory, 0xA5, size);
    if (file != NULL) {
        FILE *stream = fopen(file, "rb");
        if (stream == NULL) {
            die("cannot open", file);
        }
        if (fread(memory, 1, size, stream) != size || fgetc(stream) != EOF) {
            die("not as long as its arena", file);
        }
        fclose(stream);
    }
    return memory;
}

/* Reads exactly `size` bytes; 0 at the end of the file. */
static int read_bytes(FILE *stream, unsigned char *bytes, size_t size)
{
    const size_t got = fread(bytes, 1, size, stream);
    if (got != size && got != 0) {
        die("cut short", "vectors");
    }
    return got == size;
}

static int read_number(FILE *stream, uint32_t *number)
{
    unsigned char b[4];
    if (!read_bytes(stream, b, sizeof b)) {
        return 0;
    }
    *number = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return 1;
}

static unsigned char *expected_buffer(size_t size)
{
    if (size > expected_capacity) {
        free(expected_bytes);
        expected_bytes = (unsigned char *)malloc(size);
        expected_capacity = size;
        if (expected_bytes == NULL) {
            die("out of memory", "expected");
        }
    }
    return expected_bytes;
}

/* One invocation from the file: 1 when every output is as expected. */
static int invocation(const module_under_test *module, FILE *stream, const char *where)
{
    int32_t k;
    int right = 1;
    int32_t status;
    for (k = 0; k < module->inputs; k++) {
        size_t size = 0;
        unsigned char *data = module->input(k, &size);
        if (size != 0 && !read_bytes(stream, data, size)) {
            die("cut short", "vectors");
        }
    }
    status = module->run();
    if (status != 0) {
        printf("FAIL %s: run returned %ld\n", where, (long)status);
        right = 0;
    }
    for (k = 0; k < module->outputs; k++) {
        size_t size = 0;
        const unsigned char *data = module->output(k, &size);
        unsigned char *expected = expected_buffer(size);
        if (size != 0 && !read_bytes(stream, expected, size)) {
            die("cut short", "vectors");
        }
        if (memcmp(data, expected, size) != 0) {
            size_t at = 0;
            while (data[at] == expected[at]) {
                at++;
            }
            printf("FAIL %s: output %ld, byte %lu is %u, expected %u\n", where, (long)k,
                   (unsigned long)at, (unsigned)data[at], (unsigned)expected[at]);
            right = 0;
        }
    }
    return right;
}

int main(int argc, char **argv)
{
    FILE *stream = argc == 2 ? fopen(argv[1], "rb") : NULL;
    unsigned long vectors = 0, wrong = 0;
    uint32_t number = 0, invocations = 0;
    size_t m;
    if (stream == NULL) {
        die("usage", "program VECTORS");
    }
    while (read_number(stream, &number) && read_number(stream, &invocations)) {
        const module_under_test *module = modules_under_test[number];
        char where[256];
        uint32_t i;
        int right;
        const int32_t status = module->init();
        if (status != 0) {
            printf("FAIL %s: init returned %ld\n", module->name, (long)status);
        }
        right = status == 0;
        for (i = 0; i < invocations; i++) {
            snprintf(where, sizeof where, "%s, vector %lu, invocation %lu", module->name, vectors,
                     (unsigned long)i);
            right &= invocation(module, stream, where);
        }
        vectors++;
        wrong += right ? 0u : 1u;
    }
    fclose(stream);
    for (m = 0; modules_under_test[m] != NULL; m++) {
        const module_under_test *module = modules_under_test[m];
        if (module->self_test != NULL) {
            const int32_t status = module->self_test();
            if (status != 0) {
                printf("FAIL %s: its own test returned %ld\n", module->name, (long)status);
                wrong++;
            }
        }
    }
    free(expected_bytes);
    printf("%lu modules, %lu vectors, %lu wrong\n", (unsigned long)m, vectors, wrong);
    return wrong == 0 ? 0 : 1;
}
