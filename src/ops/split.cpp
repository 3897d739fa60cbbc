// SPLIT: a tensor cut into equal pieces along an axis.
#include "ops/registry.h"
#include "ops/same.h"
#include "ops/slices.h"

namespace ingot::ops {

namespace {

constexpr std::size_t kAxis = 0;  // operands
constexpr std::size_t kValue = 1;

std::optional<std::size_t> axis(const OperatorView& op) {
    const std::vector<std::int64_t> value = op.integers(kAxis);
    if (value.size() != 1) return std::nullopt;
    return dimension(value[0], op.input(kValue).shape.size());
}

std::vector<std::int64_t> sizes(const OperatorView& op) {
    const auto count = static_cast<std::int64_t>(op.op().outputs.size());
    return std::vector<std::int64_t>(op.op().outputs.size(),
                                     op.input(kValue).shape[*axis(op)] / count);
}

bool types_are_supported(const OperatorView& op) {
    return slice_types_are_supported(op, kValue);
}

bool rank_is_supported(const OperatorView& op) {
    return op.input(kValue).shape.size() <= 8;
}

bool axis_is_a_dimension(const OperatorView& op) {
    return axis(op).has_value();
}

bool number_agrees(const OperatorView& op) {
    return op.option("num_splits") == static_cast<std::int64_t>(op.op().outputs.size());
}

bool shapes_agree(const OperatorView& op) {
    return pieces_agree(op, kValue, *axis(op), sizes(op));
}

void lower(Lowering& op) {
    lower_slices(op, kValue, piece_begins(op.input(kValue).shape.size(), *axis(op), sizes(op)));
}

}  // namespace

const OperatorDefinition definitions::split = {
    .type = "SPLIT",
    .types = "int8, int16, int32, float32, bool",
    .min_inputs = 2,
    .max_inputs = 2,
    .max_outputs = 256,
    .needs_options = true,
    .compile_time_inputs = {kAxis},
    .constraints = {{"input and outputs are all int8, int16, int32, float32 or bool",
                     types_are_supported},
                    {"the input has 8 dimensions at most", rank_is_supported},
                    {"the axis is one constant number, a dimension of the input",
                     axis_is_a_dimension},
                    {"there are as many outputs as the option says", number_agrees},
                    {"the outputs are equal pieces of the input along the axis", shapes_agree}},
    .lower = lower,
};

}  // namespace ingot::ops
