// SPLIT_V: a tensor cut into pieces of given sizes along an axis.
#include <algorithm>
#include <numeric>

#include "ops/registry.h"
#include "ops/same.h"
#include "ops/slices.h"

namespace ingot::ops {

namespace {

constexpr std::size_t kValue = 0;  // operands
constexpr std::size_t kSizes = 1;
constexpr std::size_t kAxis = 2;

std::optional<std::size_t> axis(const OperatorView& op) {
    const std::vector<std::int64_t> value = op.integers(kAxis);
    if (value.size() != 1) return std::nullopt;
    return dimension(value[0], op.input(kValue).shape.size());
}

/// One size may be -1 and means what the others leave.
std::vector<std::int64_t> sizes(const OperatorView& op) {
    std::vector<std::int64_t> result = op.integers(kSizes);
    const std::int64_t whole = op.input(kValue).shape[*axis(op)];
    const bool sane = std::all_of(result.begin(), result.end(),
                                  [&](std::int64_t size) { return size >= -1 && size <= whole; });
    const auto rest = std::find(result.begin(), result.end(), -1);
    if (!sane || rest == result.end()) return result;
    *rest = 0;
    *rest = whole - std::accumulate(result.begin(), result.end(), std::int64_t{0});
    return result;
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

bool shapes_agree(const OperatorView& op) {
    return pieces_agree(op, kValue, *axis(op), sizes(op));
}

void lower(Lowering& op) {
    lower_slices(op, kValue, piece_begins(op.input(kValue).shape.size(), *axis(op), sizes(op)));
}

}  // namespace

const OperatorDefinition definitions::split_v = {
    .type = "SPLIT_V",
    .types = "int8, int16, int32, float32, bool",
    .min_inputs = 3,
    .max_inputs = 3,
    .max_outputs = 256,
    .compile_time_inputs = {kSizes, kAxis},
    .constraints = {{"input and outputs are all int8, int16, int32, float32 or bool",
                     types_are_supported},
                    {"the input has 8 dimensions at most", rank_is_supported},
                    {"the axis is one constant number, a dimension of the input",
                     axis_is_a_dimension},
                    {"the sizes are constant, with at most one -1 for what is left, and the "
                     "outputs are pieces of these sizes along the axis",
                     shapes_agree}},
    .lower = lower,
};

}  // namespace ingot::ops
