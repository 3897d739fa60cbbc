/* SPDX-License-Identifier: 0BSD */
/* What a core does from reset to main. */
#include <stdint.h>
#include <stdlib.h>

extern uint32_t data_begin[], data_end[], data_load[], bss_begin[], bss_end[], stack_top[];
extern void initialise_monitor_handles(void); /* of the C library: printf by semihosting */
int main(void);
void reset(void);

static void stop(void)
{
    for (;;) {
    }
}

void reset(void)
{
    uint32_t *to;
    const uint32_t *from = data_load;

    *(volatile uint32_t *)0xE000ED88U |= 0xFU << 20; /* the floating-point unit: on */
    for (to = data_begin; to < data_end; to++) {
        *to = *from++;
    }
    for (to = bss_begin; to < bss_end; to++) {
        *to = 0U;
    }
    initialise_monitor_handles();
    exit(main());
}

typedef void (*vector)(void);

__attribute__((section(".vectors"), used)) static const vector vectors[16] = {
    (vector)stack_top,
    reset,
    stop,
    stop,
    stop,
    stop,
    stop,
    NULL,
    NULL,
    NULL,
    NULL,
    stop,
    stop,
    NULL,
    stop,
    stop,
};
