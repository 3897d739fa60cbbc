/* SPDX-License-Identifier: 0BSD */
/** @file
 * What every file of module demo includes. */
#ifndef AOT_COMMON_H
#define AOT_COMMON_H

#include "aot_platform.h"
#include "aot_tensors.h"
#include "aot_context.h"

#endif
