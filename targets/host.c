/* The host as a place to run on: vectors.bin and results.bin of the working directory. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>

static FILE *open_file(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (file == NULL) {
        perror(name);
        exit(2);
    }
    return file;
}

int target_read(void *buffer, size_t size)
{
    static FILE *vectors = NULL;
    if (vectors == NULL) {
        vectors = open_file("vectors.bin", "rb");
    }
    return fread(buffer, 1, size, vectors) == size;
}

void target_write(const void *data, size_t size)
{
    static FILE *results = NULL;
    if (results == NULL) {
        results = open_file("results.bin", "wb");
    }
    if (fwrite(data, 1, size, results) != size || fflush(results) != 0) {
        perror("results.bin");
        exit(2);
    }
}

void target_stack_paint(void)
{
}

uint32_t target_stack_used(void)
{
    return 0;
}
