// What SLICE, SPLIT and SPLIT_V share: blocks of a tensor become tensors.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/lowering.h"

namespace ingot::ops {

/// The input and every output have one type: int8, int16, int32, float32 or bool.
bool slice_types_are_supported(const OperatorView& op, std::size_t input);

/// For SPLIT and SPLIT_V: every output has the input's shape but along the axis, where `sizes` says
/// how long it is, and these add up to the input's.
bool pieces_agree(const OperatorView& op, std::size_t input, std::size_t axis,
                  const std::vector<std::int64_t>& sizes);

/// Where the pieces of these sizes begin along the axis, output by output and dimension by
/// dimension.
std::vector<std::vector<std::int64_t>> piece_begins(std::size_t rank, std::size_t axis,
                                                    const std::vector<std::int64_t>& sizes);

/// Lowers to one call of slice for each output, which begins at `begins` in the input, element by
/// dimension. An output that is one run of bytes there may be a view of it (program::Part).
void lower_slices(Lowering& lowering, std::size_t input,
                  const std::vector<std::vector<std::int64_t>>& begins);

}  // namespace ingot::ops
