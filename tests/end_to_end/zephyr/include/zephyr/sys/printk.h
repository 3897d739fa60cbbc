/* Stand-in: printk, which checks its arguments as Zephyr's does. */
#ifndef STAND_IN_PRINTK_H
#define STAND_IN_PRINTK_H
#ifdef __cplusplus
extern "C" {
#endif
#ifdef CONFIG_PRINTK
__attribute__((format(printf, 1, 2))) void printk(const char *format, ...);
#endif
#ifdef __cplusplus
}
#endif
#endif
