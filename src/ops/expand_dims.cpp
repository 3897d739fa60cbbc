// EXPAND_DIMS: a view with one more dimension of size 1.
#include "ops/registry.h"
#include "ops/view.h"

namespace ingot::ops {

namespace {

bool expanded_shape_agrees(const OperatorView& op) {
    const std::vector<std::int64_t> axis = op.integers(1);
    const auto rank = static_cast<std::int64_t>(op.input(0).shape.size());
    if (axis.size() != 1 || axis[0] < -rank - 1 || axis[0] > rank) return false;
    ir::Shape shape = op.input(0).shape;
    shape.insert(shape.begin() + (axis[0] < 0 ? axis[0] + rank + 1 : axis[0]), 1);
    return op.output().shape == shape;
}

}  // namespace

const OperatorDefinition definitions::expand_dims{
    .type = "EXPAND_DIMS",
    .types = "any type of fixed size, int32 or int64",
    .min_inputs = 2,
    .max_inputs = 2,
    .compile_time_inputs = {1},
    .constraints = view_constraints({
        {"the axis is one constant number within the output's rank, and the output's shape "
         "has a 1 there",
         expanded_shape_agrees},
    }),
    .lower = lower_view,
};

}  // namespace ingot::ops
