// The list of operators: one row for each, and the definition in the file of that name.
#pragma once

#include "ops/operator.h"

// clang-format off
#define INGOT_OPERATORS(ROW) \
    ROW(add)                \
    ROW(average_pool_2d)    \
    ROW(concatenation)      \
    ROW(conv_2d)            \
    ROW(custom)             \
    ROW(depthwise_conv_2d)  \
    ROW(dequantize)         \
    ROW(expand_dims)        \
    ROW(fully_connected)    \
    ROW(logistic)           \
    ROW(max_pool_2d)        \
    ROW(mean)               \
    ROW(mul)                \
    ROW(pad)                \
    ROW(padv2)              \
    ROW(quantize)           \
    ROW(relu)               \
    ROW(relu6)              \
    ROW(reshape)            \
    ROW(slice)              \
    ROW(softmax)            \
    ROW(split)              \
    ROW(split_v)            \
    ROW(squeeze)            \
    ROW(sub)                \
    ROW(svdf)               \
    ROW(tanh)
// clang-format on

namespace ingot::ops::definitions {

#define INGOT_DECLARE(NAME) extern const OperatorDefinition NAME;
INGOT_OPERATORS(INGOT_DECLARE)
#undef INGOT_DECLARE

}  // namespace ingot::ops::definitions
