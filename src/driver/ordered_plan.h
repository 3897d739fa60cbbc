// The plan together with the order of operators that it is best with.
#pragma once

#include <optional>

#include "memory/order.h"
#include "memory/plan.h"
#include "platforms/platform.h"
#include "program/program.h"
#include "support/diagnostics.h"

namespace ingot::driver {

struct OrderedPlan {
    program::Program program;  ///< its steps in the order that was chosen
    memory::MemoryPlan plan;
    /// The order with the least peak that was found; nothing when none was looked for, as with
    /// planner `greedy` and with the model's own offsets.
    std::optional<memory::Order> order;
    bool reordered = false;  ///< `program` is in that order; else in the one it came in
};

/// Plans the program as it is and, when another order has a lower peak, in that order too. Takes
/// the plan that fits, then the one that costs less (memory::Assignment), then the one that needs
/// less RAM, then the program as it is. Notes go to `diagnostics` once. Throws as memory::plan;
/// when neither fits, what it says is of the order with the lower peak.
OrderedPlan ordered_plan(const program::Program& program, const platforms::Platform& platform,
                         const memory::PlanOptions& options, support::Diagnostics& diagnostics);

}  // namespace ingot::driver
