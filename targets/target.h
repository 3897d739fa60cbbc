/* What the harness of `ingot verify` calls of the place it runs on: a Cortex-M board under QEMU
 * (startup.c) or the host (host.c). */
#ifndef TARGET_H
#define TARGET_H

#include <stddef.h>
#include <stdint.h>

/* The vectors, from their beginning to their end. A read returns 1, or 0 when there is not that
 * much left. */
int target_read(void *buffer, size_t size);

/* Appends to the results. */
void target_write(const void *data, size_t size);

/* The stack: marks what is free now; the most bytes used below the caller of the first since then.
 * 0 on the host, which has no such marks. */
void target_stack_paint(void);
uint32_t target_stack_used(void);

/* What lies between the two is counted: one no-operation each, not counted itself, whose address
 * goes to a section outside of the image. */
#if defined(__arm__)
#define TARGET_MARK(number)                              \
    __asm volatile(                                      \
        "7: nop\n\t"                                     \
        ".pushsection .target_marks,\"\",%%progbits\n\t" \
        ".balign 4\n\t.word 7b\n\t.word " #number        \
        "\n\t"                                           \
        ".popsection" ::                                 \
            : "memory")
#else
#define TARGET_MARK(number) ((void)0)
#endif
#define TARGET_INIT_BEGINS() TARGET_MARK(0)
#define TARGET_INIT_ENDS() TARGET_MARK(1)
#define TARGET_RUN_BEGINS() TARGET_MARK(2)
#define TARGET_RUN_ENDS() TARGET_MARK(3)

#endif
