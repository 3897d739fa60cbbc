/* SPDX-License-Identifier: 0BSD */
/** @file
 * Arenas, tensors, inputs and outputs of module demo. */
#ifndef AOT_TENSORS_H
#define AOT_TENSORS_H

#include "aot_platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Status codes: what the module's functions return. */
typedef enum {
    aot_status_ok = 0, /**< it worked */
    aot_status_bind_unknown_region = 1, /**< binding: no such arena */
    aot_status_bind_null_buffer = 2, /**< binding: the buffer is null */
    aot_status_bind_undersized = 3, /**< binding: the buffer is smaller than the arena */
    aot_status_bind_misaligned = 4, /**< also: an arena of the module was linked misaligned */
    aot_status_context_arena_unbound = 10, /**< init: an arena is not bound */
    aot_status_hydrate_uninited_context = 11, /**< hydration before the context was set up */
    aot_status_hydrate_null_blob = 12, /**< hydration: a source is null */
    aot_status_null_context = 13, /**< the context is null */
    aot_status_not_initialized = 14, /**< run before a successful init */
    aot_status_bind_bulk_null_argument = 100, /**< binding all: an argument is null */
    aot_status_bind_bulk_wrong_count = 101, /**< binding all: not the number of arenas */
    aot_status_hydration_required = 200, /**< run before the staged constants are in place */
    aot_status_custom_first = 1000, /**< first status of custom operators */
    aot_status_custom_last = 1999 /**< last status of custom operators */
} aot_status_t;

/* --- Inputs and outputs --- */

/** How many inputs the model has. */
#define aot_num_inputs 1
/** How many outputs the model has. */
#define aot_num_outputs 1

/* input 0: 1x16x16x3 int8, scale 0.015625, zero point -5; input */
#define aot_input_0_size (768) /**< elements */
#define aot_input_0_nbytes (768) /**< bytes */
/** Whether a run leaves the bytes of this input unchanged (1), or uses its memory (0). Internal. */
#define aot_input_0_preserved 0

/* output 0: 1x10 int8, scale 0.00390625, zero point -128; softmax_7 */
#define aot_output_0_size (10) /**< elements */
#define aot_output_0_nbytes (10) /**< bytes */

/** Tensors by number. The numbers are internal; only the type is public. */
typedef enum {
    aot_tensor_0 = 0, /**< internal */
    aot_tensor_1 = 1, /**< internal */
    aot_tensor_3 = 2, /**< internal */
    aot_tensor_4 = 3, /**< internal */
    aot_tensor_5 = 4, /**< internal */
    aot_tensor_7 = 5, /**< internal */
    aot_tensor_8 = 6, /**< internal */
    aot_tensor_10 = 7, /**< internal */
    aot_tensor_11 = 8, /**< internal */
    aot_tensor_12 = 9, /**< internal */
    aot_tensor_13 = 10, /**< internal */
    aot_tensor_14 = 11, /**< internal */
    aot_tensor_15 = 12, /**< internal */
    aot_tensor_18 = 13, /**< internal */
    aot_tensor_19 = 14, /**< internal */
    aot_tensor_conv_2d_0_weight_sum = 15, /**< internal */
    aot_tensor_conv_2d_0_multiplier = 16, /**< internal */
    aot_tensor_conv_2d_0_shift = 17, /**< internal */
    aot_tensor_conv_2d_2_weight_sum = 18, /**< internal */
    aot_tensor_conv_2d_2_multiplier = 19, /**< internal */
    aot_tensor_conv_2d_2_shift = 20, /**< internal */
    aot_tensor_svdf_5_weight_sum = 21, /**< internal */
    aot_tensor_fully_connected_6_packed = 22, /**< internal */
    aot_num_tensors = 23 /**< how many; internal */
} aot_tensor_ident_t;

/** One input or output of the model. */
typedef struct {
    aot_tensor_ident_t id; /**< which tensor */
    int8_t *data;       /**< where its bytes are; elements of other types are stored little-endian */
    size_t size;        /**< bytes */
    int32_t zero_point; /**< real value = scale * (element - zero_point); 0 when not quantised */
    float scale;        /**< 1 when not quantised */
} aot_tensor_io_t;

/* The same facts as tables, by the number of the input or output. */
/** The tensor of each input. */
extern const aot_tensor_ident_t aot_inputs_id[aot_num_inputs];
/** The number of elements of each input. */
extern const int32_t aot_inputs_len[aot_num_inputs];
/** The scale of each input. */
extern const float aot_inputs_scale[aot_num_inputs];
/** The zero point of each input. */
extern const int32_t aot_inputs_zero_point[aot_num_inputs];
/** The tensor of each output. */
extern const aot_tensor_ident_t aot_outputs_id[aot_num_outputs];
/** The number of elements of each output. */
extern const int32_t aot_outputs_len[aot_num_outputs];
/** The scale of each output. */
extern const float aot_outputs_scale[aot_num_outputs];
/** The zero point of each output. */
extern const int32_t aot_outputs_zero_point[aot_num_outputs];

/* --- Arenas --- */

/** The memory that the module works in: one arena for each role in each memory. */
typedef enum {
    aot_arena_dtcm = 0, /**< scratch, in dtcm */
    aot_arena_persistent_dtcm = 1, /**< persistent, in dtcm */
    aot_arena_const_dtcm = 2, /**< constant, in dtcm */
    aot_num_arena_buffers = 3 /**< how many */
} aot_arena_region_t;

#define aot_arena_dtcm_size 4256 /**< bytes */
#define aot_arena_dtcm_alignment 16 /**< of its address, bytes */
#define aot_arena_persistent_dtcm_size 128 /**< bytes */
#define aot_arena_persistent_dtcm_alignment 16 /**< of its address, bytes */
#define aot_arena_const_dtcm_size 44160 /**< bytes */
#define aot_arena_const_dtcm_alignment 16 /**< of its address, bytes */

/** Bytes of each arena. */
extern const size_t aot_arena_sizes[aot_num_arena_buffers];
/** Alignment of each arena's address, bytes. */
extern const size_t aot_arena_alignments[aot_num_arena_buffers];

/** Identifies the memory plan: the same in the plan's report. */
#define AOT_PLAN_HASH "b29d6e9b31c17ca5"

/** The address of each arena. */
extern const void *const aot_arena_buffers[aot_num_arena_buffers];

/* --- Internal: tensors --- */

/** Roles of tensors. Internal. */
typedef enum {
    aot_tensor_type_constant,   /**< read only */
    aot_tensor_type_persistent, /**< kept from run to run */
    aot_tensor_type_scratch     /**< within a run */
} aot_tensor_type_t;

/** Where a tensor lives. Internal. */
typedef struct {
    aot_tensor_type_t type;    /**< its role */
    aot_arena_region_t region; /**< its arena */
    size_t offset; /**< bytes from the start of the arena */
    size_t size;   /**< bytes */
} aot_tensor_descriptor_t;

/** Every tensor, by number. Internal. */
extern const aot_tensor_descriptor_t aot_tensor_descriptors[aot_num_tensors];

/* --- Internal: storage, with external linkage so that the linker's map shows it --- */

/** `const` behind a typedef: a placement macro may itself say `const`. Internal. */
typedef const int8_t aot_const_byte_t;
extern int8_t aot_arena_dtcm_buffer[aot_arena_dtcm_size]; /**< bytes of an arena; internal */
extern int8_t aot_arena_persistent_dtcm_buffer[aot_arena_persistent_dtcm_size]; /**< bytes of an arena; internal */
extern int8_t aot_arena_const_dtcm__blob[aot_arena_const_dtcm_size]; /**< bytes of an arena; internal */

#ifdef __cplusplus
}
#endif

#endif
