// Functions of fixed-point numbers, by the rules of the reference (docs/numerics.md). Made with
// the kernels' own helpers, so that tables agree with what a kernel would compute.
#pragma once

#include <cstdint>

namespace ingot::ops {

/// 1 / (1 + exp(-x)) scaled by 2^31, for x scaled by 2^27.
std::int32_t fixed_point_logistic(std::int32_t x);

/// tanh(x) scaled by 2^31, for x scaled by 2^27.
std::int32_t fixed_point_tanh(std::int32_t x);

/// x / 2^n rounded to nearest, halves away from zero; n is 0..31.
std::int32_t rounding_divide_by_power_of_two(std::int32_t x, std::int32_t n);

}  // namespace ingot::ops
