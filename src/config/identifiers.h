// Which texts may become names in C and on disk.
#pragma once

#include <string>
#include <string_view>

namespace ingot::config {

/// Why the text cannot be the prefix of C symbols, files and macros; empty when it can.
std::string prefix_problem(std::string_view prefix);

/// Why the text cannot name the module and its folder; empty when it can.
std::string module_name_problem(std::string_view name);

}  // namespace ingot::config
