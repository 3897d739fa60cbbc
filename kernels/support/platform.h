/* SPDX-License-Identifier: 0BSD */
/* Compiler-specific spellings for the kernels inside the compiler. A generated module has its
 * own <prefix>_platform.h in place of this file. */
#ifndef INGOT_PLATFORM_H
#define INGOT_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

#define INGOT_RESTRICT __restrict

#endif
