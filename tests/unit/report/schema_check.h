// A validator for the part of JSON Schema that schemas/*.schema.json use.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ingot::testing {

/// What in `value` isn't as schemas/NAME.schema.json says, one sentence each; empty when valid.
/// Throws std::runtime_error for a keyword that it doesn't know.
std::vector<std::string> schema_errors(const std::string& name, const nlohmann::json& value);

}  // namespace ingot::testing
