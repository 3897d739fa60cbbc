// How much stack a module needs: from kernels/stack.json, which scripts/stack_table.py makes
// with GCC's own figures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

namespace ingot::report {

/// The largest of the kernels used, with all that calls it and that it calls.
struct StackFigure {
    std::uint64_t bytes = 0;  ///< <p>_model_run and <p>_model_init need no more
    std::string deepest;      ///< the kernel where it is reached, `init`, or a custom
                              ///< operator: `operator 3`
    std::string core;         ///< `cortex-m4`, `generic`: the largest of all cores
    std::string compiler;     ///< that the figures are of, with its version
    std::string flags;
    /// Functions of the application that take stack of their own: names of custom operators.
    std::vector<std::string> not_counted;
};

/// Nothing when a kernel has no row in the table (a test holds them to have one).
std::optional<StackFigure> stack_figure(const program::Program& program, std::string_view cpu);

}  // namespace ingot::report
