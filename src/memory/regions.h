// From choices to arenas: regions in their order, their names, and every offset.
#pragma once

#include <string>
#include <string_view>

#include "memory/budget.h"
#include "memory/plan.h"

namespace ingot::memory {

/// `text` as a part of a C identifier: what isn't a letter, digit or underscore becomes `_`.
std::string identifier(std::string_view text);

/// Regions, placements and bounds of a plan; budgets (`total_size`) too. Region::optimal is set
/// where the arena reaches its lower bound.
MemoryPlan lay_out(const Problem& problem, const Choices& choices, const PlanOptions& options);

}  // namespace ingot::memory
