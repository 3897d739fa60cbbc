// What had no room where it was wanted: what it costs, and what it lost against.
#pragma once

#include "memory/budget.h"
#include "memory/plan.h"

namespace ingot::memory {

/// Fills in the figures of MemoryPlan::decisions: Decision::touched_bytes and what follows it.
void explain(const Problem& problem, const Choices& choices, MemoryPlan& plan);

}  // namespace ingot::memory
