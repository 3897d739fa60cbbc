// Leaves out the static helpers that a file of kernels does not use.
#pragma once

#include <string>
#include <vector>

namespace ingot::module {

/// The parts without static functions and tables (`static … name(…) {…}` and
/// `static const … name… = …;` that begin in column 0 and end with `}` or `};` in column 0, with
/// the comment above them) that nothing else names. Parts that become empty are dropped.
/// Compilers warn of unused ones, and readers wonder.
std::vector<std::string> drop_unused_helpers(const std::vector<std::string>& parts);

}  // namespace ingot::module
