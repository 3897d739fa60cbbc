/* The placement macros of module `aot`, as sections of memories.ld. The compiler includes this
 * first: -include placement.h */
#ifndef PLACEMENT_H
#define PLACEMENT_H

#define AOT_PUT_IN_DTCM __attribute__((section(".dtcm_bss")))
#define AOT_PUT_IN_DTCM_INIT __attribute__((section(".dtcm_data")))
#define AOT_PUT_IN_SRAM __attribute__((section(".sram_bss")))
#define AOT_PUT_IN_SRAM_INIT __attribute__((section(".sram_data")))
#define AOT_PUT_IN_PSRAM __attribute__((section(".psram_bss")))
#define AOT_PUT_IN_PSRAM_INIT __attribute__((section(".psram_data")))
#define AOT_PUT_IN_MRAM __attribute__((section(".mram_rodata")))
#define AOT_PUT_CODE_IN_ITCM __attribute__((section(".itcm_text")))

#endif
