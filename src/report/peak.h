// Where a scratch arena needs most, and what the plan itself says would save memory.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/plan.h"
#include "program/program.h"
#include "report/reports.h"

namespace ingot::report {

/// The step in which most bytes of a scratch arena are live.
struct Peak {
    std::int64_t step = 0;    ///< -1: before the first; the number of steps: after the last
    std::uint64_t bytes = 0;  ///< live then, each tensor rounded up to 16
    std::vector<program::TensorId> tensors;  ///< live then, roots only, ascending
};

/// The first such step.
Peak peak(const program::Program& program, const memory::MemoryPlan& plan,
          const memory::Region& region);

/// `operator 3 (CONV_2D conv_2d_3)`, `the inputs`, `the outputs`.
std::string step_text(const program::Program& program, std::int64_t step);

/// The hints that need no other plan: distance from the bounds, what had no room where it was
/// wanted, equal constants that are stored in different arenas. `rules`: the entries of
/// memory.tensors, which settings keep.
std::vector<Hint> plan_hints(const program::Program& program, const memory::MemoryPlan& plan,
                             const std::vector<std::string>& rules);

}  // namespace ingot::report
