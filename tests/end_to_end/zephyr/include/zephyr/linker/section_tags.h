/* Stand-in: the attributes exist on Arm only. As in Zephyr, this header does not include the
 * names of the sections: without them the section has the name of the macro. */
#ifndef STAND_IN_SECTION_TAGS_H
#define STAND_IN_SECTION_TAGS_H
#ifdef CONFIG_ARM
#define STAND_IN_TEXT(x) #x
#define STAND_IN_SECTION(name) __attribute__((section(STAND_IN_TEXT(name))))
#define __dtcm_bss_section STAND_IN_SECTION(_DTCM_BSS_SECTION_NAME)
#define __dtcm_data_section STAND_IN_SECTION(_DTCM_DATA_SECTION_NAME)
#define __itcm_section STAND_IN_SECTION(_ITCM_SECTION_NAME)
#endif
#endif
