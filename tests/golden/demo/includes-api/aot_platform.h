/* SPDX-License-Identifier: 0BSD */
/** @file
 * What depends on compiler and linker, for module demo.
 *
 * Every macro can be defined by the application before this header is read: on the compiler's
 * command line or in a header that the compiler includes first. */
#ifndef AOT_PLATFORM_H
#define AOT_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

#ifndef INT8_MAX
#error "demo needs a target with 8-bit bytes"
#endif

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "demo holds its constants in little-endian order: big-endian targets cannot use it"
#endif
#elif defined(__ARMEB__) || defined(__ARM_BIG_ENDIAN) || defined(__BIG_ENDIAN__)
#error "demo holds its constants in little-endian order: big-endian targets cannot use it"
#endif

/* Placement: AOT_PUT_IN_<MEMORY> stands before objects without initial values, and
 * before constants in a memory that keeps its contents; AOT_PUT_IN_<MEMORY>_INIT before
 * objects in RAM that the start-up code fills; AOT_PUT_CODE_IN_<MEMORY> before
 * functions. */
/** Before objects in DTCM without initial values, and constants stored there. */
#ifndef AOT_PUT_IN_DTCM
#define AOT_PUT_IN_DTCM
#endif
/** Before objects in DTCM with initial values. */
#ifndef AOT_PUT_IN_DTCM_INIT
#define AOT_PUT_IN_DTCM_INIT
#endif
/** Before objects in SRAM without initial values, and constants stored there. */
#ifndef AOT_PUT_IN_SRAM
#define AOT_PUT_IN_SRAM
#endif
/** Before objects in SRAM with initial values. */
#ifndef AOT_PUT_IN_SRAM_INIT
#define AOT_PUT_IN_SRAM_INIT
#endif
/** Before objects in DRAM without initial values, and constants stored there. */
#ifndef AOT_PUT_IN_DRAM
#define AOT_PUT_IN_DRAM
#endif
/** Before objects in DRAM with initial values. */
#ifndef AOT_PUT_IN_DRAM_INIT
#define AOT_PUT_IN_DRAM_INIT
#endif
/** Before objects in MRAM without initial values, and constants stored there. */
#ifndef AOT_PUT_IN_MRAM
#define AOT_PUT_IN_MRAM
#endif
/** Before objects in MRAM with initial values. */
#ifndef AOT_PUT_IN_MRAM_INIT
#define AOT_PUT_IN_MRAM_INIT
#endif
/** Before objects in PSRAM without initial values, and constants stored there. */
#ifndef AOT_PUT_IN_PSRAM
#define AOT_PUT_IN_PSRAM
#endif
/** Before objects in PSRAM with initial values. */
#ifndef AOT_PUT_IN_PSRAM_INIT
#define AOT_PUT_IN_PSRAM_INIT
#endif
/** Before objects in ITCM without initial values, and constants stored there. */
#ifndef AOT_PUT_IN_ITCM
#define AOT_PUT_IN_ITCM
#endif
/** Before objects in ITCM with initial values. */
#ifndef AOT_PUT_IN_ITCM_INIT
#define AOT_PUT_IN_ITCM_INIT
#endif
/** Before functions that run from ITCM. */
#ifndef AOT_PUT_CODE_IN_ITCM
#define AOT_PUT_CODE_IN_ITCM
#endif

/** Prints messages of the self-test, as printf does. */
#ifndef AOT_PRINTF
#define AOT_PRINTF(...) ((void)0)
#endif

/* Internal: spellings that are not the same in every compiler. */

/** Of a pointer whose memory no other argument reaches. Internal. */
#ifndef AOT_RESTRICT
#if defined(__GNUC__) || defined(__clang__) || defined(__ICCARM__) || defined(_MSC_VER)
#define AOT_RESTRICT __restrict
#elif defined(__cplusplus)
#define AOT_RESTRICT
#else
#define AOT_RESTRICT restrict
#endif
#endif

/** Of a function that the application may define instead. Internal. */
#ifndef AOT_WEAK
#if defined(__GNUC__) || defined(__clang__) || defined(__ICCARM__)
#define AOT_WEAK __attribute__((weak))
#else
#define AOT_WEAK
#endif
#endif

/** Before an object: its address is a multiple of n bytes. Internal. */
#ifndef AOT_ALIGNED
#if defined(__GNUC__) || defined(__clang__) || defined(__ICCARM__)
#define AOT_ALIGNED(n) __attribute__((aligned(n)))
#elif defined(__cplusplus)
#define AOT_ALIGNED(n) alignas(n)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define AOT_ALIGNED(n) _Alignas(n)
#else
#error "define AOT_ALIGNED(n): what aligns an object to n bytes with this compiler"
#endif
#endif

#endif
