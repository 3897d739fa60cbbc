// Tensors that begin where a rule or the model's own plan says.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "memory/budget.h"
#include "memory/offline_plan.h"
#include "support/diagnostics.h"

namespace ingot::memory {

/// Gives the offsets that the model brings along to the wishes that no rule gives one. A view
/// follows its root; only where the root has no offset is it as far below the view's as the view
/// begins within it. All live in the first memory of their lists whose budget holds them.
/// When something is wrong with the entry, or two of its tensors that are live together share
/// bytes (no permission makes that right: the runtime it was made for knows none), a warning says
/// what, and the wishes stay as they are.
void apply_offline_plan(const program::Program& program, const std::vector<Item>& items,
                        const OfflineEntry& entry,
                        const std::vector<std::optional<std::uint64_t>>& budgets,
                        std::vector<Wish>& wishes, support::Diagnostics& diagnostics);

/// Throws Failure(usage) when two fixed tensors that are live together in one memory share bytes
/// that they may not, and Failure(memory) when one ends above its memory's budget.
void check_fixed(const Problem& problem);

}  // namespace ingot::memory
