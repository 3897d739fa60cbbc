/* Arenas that the linker put where they may not be: the module is compiled with AOT_ALIGNED asking
 * for nothing, and this object comes before its arena in the same section. */
#include <stdio.h>

#include "aot_model.h"

__attribute__((section(".arena"))) char before_the_arena = 0;

int main(void)
{
    static aot_model_context_t context;
    const int misaligned = aot_model_init(&context) == aot_status_bind_misaligned;
    const int stopped = aot_model_run(&context) == aot_status_not_initialized;

    if (!misaligned || !stopped) {
        printf("FAIL init with a misaligned arena\n");
    }
    printf("%d wrong\n", !misaligned + !stopped);
    return !misaligned || !stopped;
}
