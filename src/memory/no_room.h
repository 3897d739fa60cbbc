// The refusal when nothing fits: what is needed, what there is, and what would help.
#pragma once

#include "memory/budget.h"
#include "support/diagnostics.h"

namespace ingot::memory {

/// Failure(memory) with a table: each memory with what is needed and what there is; the operator
/// at the peak of scratch and the tensors alive there; the largest constants and state of a
/// memory that is over its budget. The hint says what would help: a rule, a transform, and how
/// small scratch could be with and without overlap.
support::Failure no_room(const Problem& problem, const Choices& overfull_choices,
                         const MemoryPlan& overfull_plan);

}  // namespace ingot::memory
