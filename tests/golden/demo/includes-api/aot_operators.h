/* SPDX-License-Identifier: 0BSD */
/** @file
 * Every operator of module demo. */
#ifndef AOT_OPERATORS_H
#define AOT_OPERATORS_H

#include "aot_common.h"
#include "aot_conv_2d_0.h"
#include "aot_max_pool_2d_1.h"
#include "aot_conv_2d_2.h"
#include "aot_average_pool_2d_3.h"
#include "aot_reshape_4.h"
#include "aot_svdf_5.h"
#include "aot_fully_connected_6.h"
#include "aot_softmax_7.h"

#endif
