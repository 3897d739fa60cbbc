// The YAML form of a platform: what platforms/*.yaml and a user's file contain.
#pragma once

#include <string>

#include "config/config.h"
#include "platforms/platform.h"

namespace ingot::platforms {

/// Reads a description; `file` names it in messages. Throws Failure(usage) with every mistake.
/// Roles without an order get the default one.
Platform read_description(const std::string& yaml, const std::string& file);

/// The memory with what the description says of it in place of what it was.
Memory apply(Memory memory, const config::InlineMemory& given);

}  // namespace ingot::platforms
