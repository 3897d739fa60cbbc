/* Stand-in: printk on a host. */
#include <stdarg.h>
#include <stdio.h>
#include <zephyr/sys/printk.h>

#ifdef CONFIG_PRINTK
void printk(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
}
#else
extern int no_printk;
int no_printk = 0;
#endif
