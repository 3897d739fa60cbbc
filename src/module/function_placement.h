// Puts placement macros before functions of the kernels' source text.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace ingot::module {

/// `macros` gives functions, by name, the macro that stands on the line above their definition.
/// A function that they call, and that is defined in the parts too, gets that of its caller; of
/// several callers the one whose name is first. A definition begins in column 0 and has its braces
/// there.
void place_functions(std::vector<std::string>& parts,
                     const std::map<std::string, std::string>& macros);

}  // namespace ingot::module
