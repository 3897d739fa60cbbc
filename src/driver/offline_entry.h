// The offsets that a model brings along.
#pragma once

#include <optional>

#include "config/config.h"
#include "driver/driver.h"
#include "memory/plan.h"
#include "support/diagnostics.h"

namespace ingot::driver {

/// The model's metadata entry `OfflineMemoryAllocation` for the entry subgraph, when
/// memory.honor_offline_plan asks for it; one for another subgraph when there is no such, for the
/// planner to refuse. A model without one gets a warning.
std::optional<memory::OfflineEntry> offline_entry(const config::Config& config,
                                                  const Imported& imported,
                                                  support::Diagnostics& diagnostics);

}  // namespace ingot::driver
