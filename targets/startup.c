/* A Cortex-M board under QEMU as a place to run on: start-up, faults, semihosting, the painted
 * stack. Uses no library, so that all it costs stays in sections of its own. */
#include "target.h"

enum { EXIT_FAULT = 125 };
enum { PAINT = 0xC5A51EAF };

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CCR REGISTER(0xE000ED14u)
#define CFSR REGISTER(0xE000ED28u)
#define CPACR REGISTER(0xE000ED88u)

typedef void (*function)(void);
struct copy {
    uint32_t *to;
    const uint32_t *from;
    uint32_t bytes;
};
struct zero {
    uint32_t *at;
    uint32_t bytes;
};

extern uint32_t target_stack_limit[], target_stack_top[];
extern const struct copy target_copy_start[], target_copy_end[];
extern const struct zero target_zero_start[], target_zero_end[];

int main(void);

/* ---- semihosting: Arm's "Semihosting for AArch32 and AArch64" ---- */

enum {
    SYS_OPEN = 1,
    SYS_CLOSE = 2,
    SYS_WRITE0 = 4,
    SYS_WRITE = 5,
    SYS_READ = 6,
    SYS_EXIT_EXTENDED = 32
};
enum { OPEN_READ_BINARY = 1, OPEN_WRITE_BINARY = 5 };
enum { APPLICATION_EXIT = 0x20026 };

static uint32_t host(uint32_t operation, const void *block)
{
    register uint32_t r0 __asm("r0") = operation;
    register const void *r1 __asm("r1") = block;
    __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static uint32_t host3(uint32_t operation, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t block[3] = {a, b, c};
    return host(operation, block);
}

static void say(const char *text)
{
    (void)host(SYS_WRITE0, text);
}

static void say_hex(uint32_t value)
{
    char text[11] = "0x00000000";
    for (int at = 9; at > 1; at--, value >>= 4) text[at] = "0123456789abcdef"[value & 15u];
    say(text);
}

__attribute__((noreturn)) static void leave(uint32_t code)
{
    for (;;) (void)host3(SYS_EXIT_EXTENDED, APPLICATION_EXIT, code, 0);
}

static uint32_t open_file(const char *name, uint32_t mode)
{
    uint32_t length = 0;
    while (name[length]) length++;
    uint32_t file = host3(SYS_OPEN, (uint32_t)name, mode, length);
    if (file == UINT32_MAX) {
        say("the start-up code cannot open ");
        say(name);
        say("\n");
        leave(2);
    }
    return file;
}

/* Handles are kept plus one: without an initialiser there is no .data. */
int target_read(void *buffer, size_t size)
{
    static uint32_t vectors;
    if (!vectors) vectors = open_file("vectors.bin", OPEN_READ_BINARY) + 1;
    return size == 0 || host3(SYS_READ, vectors - 1, (uint32_t)buffer, size) == 0;
}

void target_write(const void *data, size_t size)
{
    static uint32_t results;
    if (!results) results = open_file("results.bin", OPEN_WRITE_BINARY) + 1;
    if (size != 0 && host3(SYS_WRITE, results - 1, (uint32_t)data, size) != 0) leave(2);
}

/* ---- stack ---- */

static const uint32_t *painted_to;

/* No local array here: what lies below the stack pointer must be free. */
__attribute__((noinline)) void target_stack_paint(void)
{
    uint32_t *sp;
    __asm volatile("mov %0, sp" : "=r"(sp));
    painted_to = sp;
    for (volatile uint32_t *p = target_stack_limit; p < sp; p++) *p = PAINT;
}

uint32_t target_stack_used(void)
{
    const volatile uint32_t *p = target_stack_limit;
    while (p < painted_to && *p == PAINT) p++;
    return (uint32_t)((const char *)painted_to - (const char *)p);
}

/* ---- start and faults ---- */

__attribute__((noreturn, used)) static void fault_report(uint32_t pc, uint32_t lr,
                                                         uint32_t exception)
{
    say("fault ");
    say_hex(exception);
    say(" at ");
    say_hex(pc);
    say(", called from ");
    say_hex(lr);
#if __ARM_ARCH >= 7 || defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
    say(", CFSR ");
    say_hex(CFSR);
#endif
    say("\n");
    leave(EXIT_FAULT);
}

/* pc and lr are read from the stacked frame, then the handler takes a fresh stack: the old one may
 * be what failed. */
__attribute__((naked)) static void on_fault(void)
{
    __asm volatile(
        "ldr r0, [sp, #24]\n\tldr r1, [sp, #20]\n\tmrs r2, ipsr\n\t"
        "ldr r3, =target_stack_top\n\tmov sp, r3\n\tbl fault_report");
}

__attribute__((noreturn, used)) static void start(void)
{
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
    CPACR |= 0xFu << 20; /* coprocessors 10 and 11: floating point, and with it MVE */
#endif
#if defined(__ARM_FEATURE_MVE)
    CCR |= 1u << 19; /* low-overhead loops and branch prediction */
#endif
#if defined(TARGET_TRAP_UNALIGNED)
    CCR |= 1u << 3;
#endif
    __asm volatile("dsb\n\tisb" ::: "memory");
    for (const struct copy *c = target_copy_start; c < target_copy_end; c++)
        for (uint32_t i = 0; i < c->bytes / 4; i++) c->to[i] = c->from[i];
    for (const struct zero *z = target_zero_start; z < target_zero_end; z++)
        for (uint32_t i = 0; i < z->bytes / 4; i++) z->at[i] = 0;
    leave((uint32_t)main());
}

__attribute__((naked, noreturn)) void target_reset(void)
{
    __asm volatile("ldr r0, =target_stack_top\n\tmov sp, r0\n\tbl start");
}

__attribute__((section(".vectors"), used)) static const function vectors[16] = {
    (function)target_stack_top,
    target_reset,
    on_fault,
    on_fault,
    on_fault,
    on_fault,
    on_fault,
    on_fault,
    on_fault,
    on_fault,
    on_fault,
    on_fault,
    on_fault,
    on_fault,
    on_fault,
    on_fault};
