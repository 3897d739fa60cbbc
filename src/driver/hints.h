// What would save memory: other settings, tried.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driver/driver.h"
#include "report/reports.h"

namespace ingot::driver {

/// Plans again with the settings that could make an arena smaller, one at a time, and gives those
/// that do, by how much. `model` are the bytes that `compilation` was made from.
std::vector<report::Hint> hints(const Compilation& compilation,
                                std::span<const std::uint8_t> model);

}  // namespace ingot::driver
