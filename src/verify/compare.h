// Outputs against what they should be.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "program/program.h"
#include "verify/verify.h"

namespace ingot::verify {

/// Adds one invocation's bytes of an output to its result. Integers may differ by `tolerance`
/// steps (none without it), floating-point numbers by that part of the larger of the two (1e-5
/// without it); infinities and NaN must be the same. Types without arithmetic in C are compared
/// byte by byte.
void compare(const program::Tensor& tensor, std::optional<double> tolerance,
             std::span<const std::uint8_t> expected, std::span<const std::uint8_t> got,
             std::size_t sequence, std::size_t invocation, OutputResult& result);

}  // namespace ingot::verify
