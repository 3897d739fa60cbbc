// The list of operators: one row for each, and the definition in the file of that name.
#pragma once

#include "ops/operator.h"

// clang-format off
#define INGOT_OPERATORS(ROW) \
    ROW(conv_2d)             \
    ROW(depthwise_conv_2d)   \
    ROW(expand_dims)         \
    ROW(fully_connected)     \
    ROW(reshape)             \
    ROW(squeeze)
// clang-format on

namespace ingot::ops::definitions {

#define INGOT_DECLARE(NAME) extern const OperatorDefinition NAME;
INGOT_OPERATORS(INGOT_DECLARE)
#undef INGOT_DECLARE

}  // namespace ingot::ops::definitions
