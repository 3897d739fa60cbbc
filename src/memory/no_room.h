// The refusal when nothing fits: what is needed, what there is, and what would help.
#pragma once

#include "memory/budget.h"
#include "support/diagnostics.h"

namespace ingot::memory {

/// Failure(memory) with a table: each memory with what is needed and what there is; for a
/// memory that is over its budget the operator at its peak and the tensors alive there, and the
/// largest constants and state. The hint says what would help.

support::Failure no_room(const Problem& problem, const Choices& overfull_choices,
                         const MemoryPlan& overfull_plan);

}  // namespace ingot::memory
