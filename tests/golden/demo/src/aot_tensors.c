/* SPDX-License-Identifier: 0BSD */
/* aot_tensors.c: arenas and tables of module demo. */
#include "aot_tensors.h"

const size_t aot_arena_sizes[aot_num_arena_buffers] = {
    aot_arena_dtcm_size,
    aot_arena_persistent_dtcm_size,
    aot_arena_const_dtcm_size,
};

const size_t aot_arena_alignments[aot_num_arena_buffers] = {
    aot_arena_dtcm_alignment,
    aot_arena_persistent_dtcm_alignment,
    aot_arena_const_dtcm_alignment,
};

/* scratch, in dtcm */
AOT_PUT_IN_DTCM AOT_ALIGNED(aot_arena_dtcm_alignment)
int8_t aot_arena_dtcm_buffer[aot_arena_dtcm_size];

/* persistent, in dtcm */
AOT_PUT_IN_DTCM AOT_ALIGNED(aot_arena_persistent_dtcm_alignment)
int8_t aot_arena_persistent_dtcm_buffer[aot_arena_persistent_dtcm_size];

const void *const aot_arena_buffers[aot_num_arena_buffers] = {
    aot_arena_dtcm_buffer,
    aot_arena_persistent_dtcm_buffer,
    aot_arena_const_dtcm__blob,
};

/* Where every tensor lives: role, arena, offset and size in bytes. */
const aot_tensor_descriptor_t aot_tensor_descriptors[aot_num_tensors] = {
    {aot_tensor_type_scratch, aot_arena_dtcm, 3392U, 768U}, /* 0 */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 0U, 432U}, /* 1 */
    {aot_tensor_type_scratch, aot_arena_dtcm, 0U, 4096U}, /* 3 */
    {aot_tensor_type_scratch, aot_arena_dtcm, 3232U, 1024U}, /* 4 */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 624U, 9216U}, /* 5 */
    {aot_tensor_type_scratch, aot_arena_dtcm, 0U, 4096U}, /* 7 */
    {aot_tensor_type_scratch, aot_arena_dtcm, 0U, 1024U}, /* 8 */
    {aot_tensor_type_scratch, aot_arena_dtcm, 0U, 1024U}, /* 10 */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 10608U, 32768U}, /* 11 */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 43376U, 128U}, /* 12 */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 43504U, 128U}, /* 13 */
    {aot_tensor_type_persistent, aot_arena_persistent_dtcm, 0U, 128U}, /* 14 */
    {aot_tensor_type_scratch, aot_arena_dtcm, 1024U, 32U}, /* 15 */
    {aot_tensor_type_scratch, aot_arena_dtcm, 0U, 10U}, /* 18 */
    {aot_tensor_type_scratch, aot_arena_dtcm, 0U, 10U}, /* 19 */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 432U, 64U}, /* conv_2d_0_weight_sum */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 496U, 64U}, /* conv_2d_0_multiplier */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 560U, 64U}, /* conv_2d_0_shift */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 9840U, 256U}, /* conv_2d_2_weight_sum */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 10096U, 256U}, /* conv_2d_2_multiplier */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 10352U, 256U}, /* conv_2d_2_shift */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 43504U, 128U}, /* svdf_5_weight_sum */
    {aot_tensor_type_constant, aot_arena_const_dtcm, 43632U, 528U}, /* fully_connected_6_packed */
};

const aot_tensor_ident_t aot_inputs_id[aot_num_inputs] = {aot_tensor_0};
const int32_t aot_inputs_len[aot_num_inputs] = {768};
const float aot_inputs_scale[aot_num_inputs] = {0.015625f};
const int32_t aot_inputs_zero_point[aot_num_inputs] = {-5};

const aot_tensor_ident_t aot_outputs_id[aot_num_outputs] = {aot_tensor_19};
const int32_t aot_outputs_len[aot_num_outputs] = {10};
const float aot_outputs_scale[aot_num_outputs] = {0.00390625f};
const int32_t aot_outputs_zero_point[aot_num_outputs] = {-128};
