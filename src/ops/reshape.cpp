// RESHAPE: a view. The stored shape of the output decides, as in the reference.
#include <algorithm>

#include "ops/registry.h"
#include "ops/view.h"

namespace ingot::ops {

namespace {

bool elements_agree(const OperatorView& op) {
    return op.input(0).elements() == op.output().elements();
}

/// The stored output shape decides, as in the reference; the operand only has to make sense.
bool shape_operand_is_sound(const OperatorView& op) {
    if (!op.has_input(1)) return true;
    const ir::DataType type = op.input(1).type;
    if (type != ir::DataType::int32 && type != ir::DataType::int64) return false;
    const std::vector<std::int64_t> sizes = op.integers(1);
    return std::count(sizes.begin(), sizes.end(), -1) <= 1 &&
           std::all_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size >= -1; });
}

}  // namespace

const OperatorDefinition definitions::reshape{
    .type = "RESHAPE",
    .types = "any type of fixed size (+ int32 or int64)",
    .min_inputs = 1,
    .max_inputs = 2,
    .compile_time_inputs = {1},
    .constraints = view_constraints({
        {"input and output have the same number of elements", elements_agree},
        {"the new shape is int32 or int64, with at most one -1 and nothing below",
         shape_operand_is_sound},
    }),
    .lower = lower_view,
};

}  // namespace ingot::ops
