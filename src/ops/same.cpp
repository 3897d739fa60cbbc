#include "ops/same.h"

namespace ingot::ops {

bool shape_is_kept(const OperatorView& op) {
    return op.input(0).shape == op.output().shape;
}

bool same_quantization(const ir::Tensor& a, const ir::Tensor& b) {
    return a.quantization.scales == b.quantization.scales &&
           a.quantization.zero_points == b.quantization.zero_points;
}

std::optional<std::size_t> dimension(std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < -count || axis >= count) return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

std::int64_t extent(const ir::Shape& shape, std::size_t first, std::size_t last) {
    std::int64_t product = 1;
    for (std::size_t i = first; i < last; ++i) product *= shape[i];
    return product;
}

}  // namespace ingot::ops
