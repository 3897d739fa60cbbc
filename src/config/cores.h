// The cores that code can be chosen for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::config {

/// `cortex-m0` … `cortex-m85` and `generic`.
const std::vector<std::string>& cores();

/// The core in that form, from `M4`, `Cortex-M0+`, `cortex_m55`, …; nothing when unknown.
std::optional<std::string> core_name(std::string_view text);

/// Features that every part with the core has.
std::vector<std::string> core_features(std::string_view core);

}  // namespace ingot::config
