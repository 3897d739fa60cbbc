/* The placement macros as Zephyr's headers define them: one section for all that goes to ITCM. */
#ifndef PLACEMENT_H
#define PLACEMENT_H

#define AOT_PUT_IN_DTCM __attribute__((section(".dtcm_bss")))
#define AOT_PUT_IN_DTCM_INIT __attribute__((section(".dtcm_data")))
#define AOT_PUT_IN_ITCM __attribute__((section(".itcm_text")))
#define AOT_PUT_IN_ITCM_INIT __attribute__((section(".itcm_text")))
#define AOT_PUT_CODE_IN_ITCM __attribute__((section(".itcm_text")))
#define AOT_PUT_IN_MRAM const

#endif
