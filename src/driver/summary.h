// The machine-readable summary of a compilation: module, arenas, totals.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/driver.h"

namespace ingot::driver {

/// `{module, arenas, totals, transforms}`: what `convert --json` prints beside its diagnostics.
/// Sizes are bytes.
nlohmann::json summary(const Compilation& compilation);

/// The same as text.
std::string summary_text(const Compilation& compilation);

}  // namespace ingot::driver
