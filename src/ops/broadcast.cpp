#include "ops/broadcast.h"

#include <algorithm>

#include "ops/constraints.h"
#include "ops/overlap.h"

namespace ingot::ops {

namespace {

constexpr std::size_t kMostDimensions = 8;

/// The shape with dimensions of 1 in front to make `rank` of them.
ir::Shape extended(const ir::Shape& shape, std::size_t rank) {
    ir::Shape result(rank - shape.size(), 1);
    result.insert(result.end(), shape.begin(), shape.end());
    return result;
}

/// Element strides of a row-major tensor, 0 along dimensions of 1.
std::vector<std::int64_t> strides(const ir::Shape& shape) {
    std::vector<std::int64_t> result(shape.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] != 1) result[i] = stride;
        stride *= shape[i];
    }
    return result;
}

}  // namespace

std::optional<Broadcast> broadcast(const ir::Shape& input_1, const ir::Shape& input_2,
                                   const ir::Shape& output) {
    const std::size_t rank = output.size();
    if (rank > kMostDimensions || rank != std::max(input_1.size(), input_2.size())) {
        return std::nullopt;
    }
    const ir::Shape a = extended(input_1, rank);
    const ir::Shape b = extended(input_2, rank);
    const std::vector<std::int64_t> steps_1 = strides(a);
    const std::vector<std::int64_t> steps_2 = strides(b);
    Broadcast result;
    for (std::size_t i = 0; i < rank; ++i) {
        if (a[i] != b[i] && a[i] != 1 && b[i] != 1) return std::nullopt;
        if (output[i] != (a[i] == 1 ? b[i] : a[i])) return std::nullopt;
        const std::int64_t size = output[i];
        if (size == 1) continue;
        if (!result.sizes.empty() && result.strides_1.back() == steps_1[i] * size &&
            result.strides_2.back() == steps_2[i] * size) {
            result.sizes.back() *= size;
            result.strides_1.back() = steps_1[i];
            result.strides_2.back() = steps_2[i];
        } else {
            result.sizes.push_back(size);
            result.strides_1.push_back(steps_1[i]);
            result.strides_2.push_back(steps_2[i]);
        }
    }
    if (result.sizes.empty()) return Broadcast{{1}, {0}, {0}};
    return result;
}

bool inputs_broadcast(const OperatorView& op) {
    return broadcast(op.input(0).shape, op.input(1).shape, op.output().shape).has_value();
}

bool int8_operands(const OperatorView& op) {
    return int8_in_and_out(op) && is_int8_activation(op.input(1));
}

program::FieldValues broadcast_fields(const OperatorView& op) {
    const Broadcast shape = *broadcast(op.input(0).shape, op.input(1).shape, op.output().shape);
    return {{"rank", static_cast<std::int64_t>(shape.sizes.size())},
            {"sizes", shape.sizes},
            {"strides_1", shape.strides_1},
            {"strides_2", shape.strides_2}};
}

void permit_broadcast(Lowering& lowering) {
    const auto distances = [&](std::size_t operand) {
        return broadcast_distances(static_cast<std::int64_t>(lowering.input(operand).bytes()),
                                   static_cast<std::int64_t>(lowering.output().bytes()));
    };
    if (lowering.op().input(0) == lowering.op().input(1)) {
        lowering.permit({0, 1}, distances(0));
        return;
    }
    lowering.permit({0}, distances(0));
    lowering.permit({1}, distances(1));
}

}  // namespace ingot::ops
