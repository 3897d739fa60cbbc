/* Stand-in for the parts of Zephyr's devicetree API that a module uses: a node is chosen by
 * defining DT_CHOSEN_<name> to a node, and is okay when <node>_IS_okay is 1. */
#ifndef STAND_IN_DEVICETREE_H
#define STAND_IN_DEVICETREE_H

#define DT_CHOSEN(name) DT_CHOSEN_##name

/* 1 when the macro `flag` is defined as 1, else 0, in a form that #if takes. */
#define STAND_IN_FLAG(flag) STAND_IN_FLAG1(flag)
#define STAND_IN_FLAG1(value) STAND_IN_FLAG2(STAND_IN_COMMA_##value)
#define STAND_IN_COMMA_1 0,
#define STAND_IN_FLAG2(comma) STAND_IN_SECOND(comma 1, 0, 0)
#define STAND_IN_SECOND(first, second, ...) second

#define DT_NODE_HAS_STATUS(node, status) STAND_IN_STATUS(node, status)
#define STAND_IN_STATUS(node, status) STAND_IN_FLAG(node##_IS_##status)

#ifdef STAND_IN_DTCM
#define DT_CHOSEN_zephyr_dtcm node_dtcm
#define node_dtcm_IS_okay 1
#endif
#ifdef STAND_IN_ITCM
#define DT_CHOSEN_zephyr_itcm node_itcm
#define node_itcm_IS_okay 1
#endif

#endif
