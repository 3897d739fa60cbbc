/* QEMU TCG plugin: counts the guest instructions executed between marks.
 *
 * QEMU translates guest code in blocks. When a block begins, all its instructions are counted; when
 * a mark inside it is reached, those from the mark to the block's end are not yet executed and are
 * taken off again, and the mark itself is left out. Nothing between two marks of the harness leaves
 * a block early: no interrupt is on and no semihosting call is made there.
 *
 * Arguments: out=FILE marks=HEX:HEX:… (addresses). Output: a line for each mark reached, its
 * address in hexadecimal and the number of instructions executed before it.
 *
 * The plugin interface is declared by hand: Debian ships no header for it, and these functions are
 * the same in all its versions. VERSION is the one that the QEMU at hand takes. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                           void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int,
                                          void *);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *),
                                            int, void *);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);

EXPORT int qemu_plugin_version = VERSION;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

enum { NO_REGISTERS = 0, MOST_MARKS = 64 };

/* A mark in a block, and how many instructions of the block come from it on. */
struct place {
    uint64_t address;
    uint64_t rest;
};

static uint64_t executed; /* marks are not counted */
static uint64_t marks[MOST_MARKS];
static size_t n_marks;
static FILE *out;

static void on_block(unsigned vcpu, void *instructions)
{
    (void)vcpu;
    executed += (uintptr_t)instructions;
}

static void on_mark(unsigned vcpu, void *data)
{
    const struct place *place = data;
    (void)vcpu;
    fprintf(out, "%" PRIx64 " %" PRIu64 "\n", place->address, executed - place->rest);
}

static int is_mark(uint64_t address)
{
    for (size_t k = 0; k < n_marks; k++)
        if (marks[k] == address) return 1;
    return 0;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    size_t n = qemu_plugin_tb_n_insns(block), counted = 0;
    (void)id;
    for (size_t k = n; k-- > 0;) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, k);
        uint64_t address = qemu_plugin_insn_vaddr(insn);
        if (!is_mark(address)) {
            counted++;
            continue;
        }
        struct place *place = malloc(sizeof *place); /* as long as the block: to the end */
        if (!place) abort();
        place->address = address;
        place->rest = counted;
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, NO_REGISTERS, place);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(block, on_block, NO_REGISTERS, (void *)(uintptr_t)counted);
}

static void on_end(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    fclose(out);
}

static int set_option(char *text)
{
    if (!strncmp(text, "out=", 4)) {
        out = fopen(text + 4, "w");
        return out != NULL;
    }
    if (strncmp(text, "marks=", 6)) return 0;
    for (char *at = strtok(text + 6, ":"); at; at = strtok(NULL, ":")) {
        if (n_marks == MOST_MARKS) return 0;
        marks[n_marks++] = strtoull(at, NULL, 16);
    }
    return 1;
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int k = 0; k < argc; k++)
        if (!set_option(argv[k])) {
            fprintf(stderr, "count plugin: cannot use %s\n", argv[k]);
            return -1;
        }
    if (!out) {
        fprintf(stderr, "count plugin: out=FILE is needed\n");
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_atexit_cb(id, on_end, NULL);
    return 0;
}
