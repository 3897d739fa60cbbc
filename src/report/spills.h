// What had no room where it was wanted, and what the choice of memories costs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "config/config.h"
#include "memory/plan.h"
#include "platforms/platform.h"
#include "program/program.h"

namespace ingot::report {

/// `spilled` of `<p>_report.json`: for each tensor the memory wanted and got, what the difference
/// costs an inference, and the budget that it lost against. Those that cost most come first.
nlohmann::json spilled_report(const program::Program& program, const memory::MemoryPlan& plan,
                              const platforms::Platform& platform,
                              const std::vector<config::MemoryConstraint>& constraints);

/// `assignment` of `<p>_report.json`: the cost, the cost of the fastest memory for all, and how
/// far from the best it may be.
nlohmann::json assignment_report(const memory::MemoryPlan& plan);

/// Why a tensor isn't where it was wanted, a sentence; empty when it is.
std::string spill_text(const memory::Decision& decision, const std::string& memory);

/// A number for JSON and messages: without a fraction when it has none.
nlohmann::json number(double value);

}  // namespace ingot::report
