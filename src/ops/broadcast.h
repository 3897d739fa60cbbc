// Operators on two tensors of which one is repeated where its dimension is 1 or missing.
#pragma once

#include <optional>
#include <vector>

#include "ops/operator.h"

namespace ingot::ops {

/// How a kernel walks through both inputs: the output's dimensions, outermost first, without
/// those of size 1; neighbours that both inputs walk through evenly are merged. Strides are in
/// elements, 0 where an input repeats. There is at least one dimension.
struct Broadcast {
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides_1;
    std::vector<std::int64_t> strides_2;
};

/// Nothing when the shapes do not broadcast to exactly `output`, or it has over 8 dimensions.
std::optional<Broadcast> broadcast(const ir::Shape& input_1, const ir::Shape& input_2,
                                   const ir::Shape& output);

/// Inputs 0 and 1 broadcast to output 0.
bool inputs_broadcast(const OperatorView& op);

/// Inputs 0 and 1 and output 0 are int8 with one scale each.
bool int8_operands(const OperatorView& op);

/// The kernel fields rank, sizes, strides_1 and strides_2 for inputs 0 and 1.
program::FieldValues broadcast_fields(const OperatorView& op);

/// Permits the output to lie over either input, for a kernel that makes the output's elements in
/// order, each from its elements of both inputs.
void permit_broadcast(Lowering& lowering);

}  // namespace ingot::ops
