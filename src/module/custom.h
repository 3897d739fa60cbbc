// Custom operators in a module: the functions that the application implements, and their calls.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "module/emission.h"

namespace ingot::module {

/// `aot_custom_my_op`.
std::string custom_function(const Emission& emission, const program::CustomCall& call);

/// What the layer's template fills in: the function, its operands and options, and the arrays
/// that these point to.
nlohmann::json custom_call(const Emission& emission, const program::CustomCall& call);

}  // namespace ingot::module
