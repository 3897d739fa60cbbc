// The module's README.md.
#pragma once

#include <string>

#include "module/emission.h"

namespace ingot::module {

/// The whole text; `how_to_add` says how the module joins a build of its type (Markdown).
std::string readme(const Emission& emission, const std::string& how_to_add);

}  // namespace ingot::module
