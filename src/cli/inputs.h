// The inputs of `ingot run`: files or random values, invocation by invocation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/program.h"

namespace ingot::cli {

struct InputOptions {
    /// `[NAME|INDEX=]FILE`. A file holds one invocation or several, one after another; the only
    /// file of a model with several inputs holds all of them, invocation by invocation.
    std::vector<std::string> files;
    std::size_t invocations = 0;  ///< 0: as many as the files hold, else 1
    std::uint64_t seed = 0;       ///< for the inputs without a file
};

/// Bytes by invocation and input, in the program's order.
using Invocations = std::vector<std::vector<std::vector<std::uint8_t>>>;

/// Throws Failure(usage) for an unknown input and a wrong size or type, Failure(io) for a file
/// that cannot be read.
Invocations read_inputs(const program::Program& program, const InputOptions& options);

}  // namespace ingot::cli
