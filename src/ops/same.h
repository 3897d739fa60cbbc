// Predicates that compare two tensors of an operator.
#pragma once

#include "ops/lowering.h"

namespace ingot::ops {

/// Input 0 and output 0 have the same dimensions.
bool shape_is_kept(const OperatorView& op);

/// The same scales and zero points, or none on either side. The axis does not count.
bool same_quantization(const ir::Tensor& a, const ir::Tensor& b);

/// The number of the dimension that `axis` means in a tensor of `rank` dimensions, where -1 is
/// the last one; nothing when there is none.
std::optional<std::size_t> dimension(std::int64_t axis, std::size_t rank);

/// The product of the dimensions first <= i < last: 1 when there is none. The tensor has been
/// checked to have 2^31 - 1 elements or fewer.
std::int64_t extent(const ir::Shape& shape, std::size_t first, std::size_t last);

}  // namespace ingot::ops
