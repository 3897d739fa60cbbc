// Operators that are a function of one int8 code, done by a table of 256 codes.
#pragma once

#include "ops/operator.h"

namespace ingot::ops {

/// Input and output are int8 with one scale each and have the same shape.
bool is_int8_map(const OperatorView& op);

/// Lowers LOGISTIC or TANH. `function` takes fixed point with 27 fraction bits; its result is
/// rounded to `output_shift` bits less and lowered by `output_offset`. Codes at or beyond what
/// fixed point holds become -128 or 127.
void lower_sigmoid_table(Lowering& lowering, std::int32_t (*function)(std::int32_t),
                         std::int32_t output_shift, std::int32_t output_offset);

}  // namespace ingot::ops
