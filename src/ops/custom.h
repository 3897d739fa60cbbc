// Custom operators: functions of the application's in place of kernels.
#pragma once

#include <string>
#include <string_view>

namespace ingot::ops {

/// A custom operator's name as the end of a C identifier, `<prefix>_custom_<result>`: every byte
/// that is no letter, digit or underscore becomes an underscore, and one stands before a leading
/// digit, so that no name is like the module's own `<prefix>_custom_3_run`.
std::string custom_function(std::string_view name);

/// What to add to the configuration so that a custom operator is taken, on one line of YAML.
std::string custom_declaration(std::string_view name);

}  // namespace ingot::ops
