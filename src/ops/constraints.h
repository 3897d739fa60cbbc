// Predicates that several operators' constraints share.
#pragma once

#include "ops/lowering.h"
#include "ops/numerics.h"

namespace ingot::ops {

/// One scale, and a zero point that is a code of the tensor's type.
bool quantized_per_tensor(const ir::Tensor& tensor);

/// int8 with quantized_per_tensor.
bool is_int8_activation(const ir::Tensor& tensor);

/// One scale, or as many as dimension `axis` of the tensor has, along that axis.
bool quantized_along(const ir::Tensor& tensor, std::int32_t axis);

/// Input 0 and output 0 are int8 with one scale each.
bool int8_in_and_out(const OperatorView& op);

/// The fused activation is NONE, RELU, RELU_N1_TO_1 or RELU6 with bounds that are int32 codes.
bool activation_supported(const OperatorView& op);

/// Option padding is SAME (0) or VALID (1).
bool padding_supported(const OperatorView& op);

/// Multipliers are below 2^30, so that no code's left shift is undefined.
bool multiplier_in_range(double real);

}  // namespace ingot::ops
