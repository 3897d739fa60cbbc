// The demo model's module in every packaging, and the reference that it is held against.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "support/files.h"

namespace ingot::test {

/// The module types as the configuration names them.
inline constexpr const char* kModuleTypes[] = {"cmake", "zephyr", "nsx", "cmsis_pack"};

/// tests/data/generated-module.json.
const nlohmann::json& reference();

/// The module of the reference's settings: name demo, self-test, residency report. Each variant
/// is converted once.
const support::FileSet& demo_module(const std::string& type, bool allocate_arenas);

}  // namespace ingot::test
