/* Stand-in: the names of the sections. */
#ifndef STAND_IN_SECTIONS_H
#define STAND_IN_SECTIONS_H
#define _DTCM_BSS_SECTION_NAME .dtcm_bss
#define _DTCM_DATA_SECTION_NAME .dtcm_data
#define _ITCM_SECTION_NAME .itcm
#endif
