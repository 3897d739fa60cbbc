// Test vectors from the host execution, and random inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/plan.h"
#include "module/module.h"
#include "program/program.h"
#include "support/random.h"

namespace ingot::driver {

/// Random bytes for one tensor: integers over their whole range, floats in [-1, 1), bool 0 or 1.
std::vector<std::uint8_t> random_bytes(const program::Tensor& tensor, support::SplitMix64& random);

/// Runs `invocations` times from fresh state on seeded random inputs.
std::vector<module::TestInvocation> host_vectors(const program::Program& program,
                                                 const memory::MemoryPlan& plan,
                                                 std::size_t invocations, std::uint64_t seed);

}  // namespace ingot::driver
