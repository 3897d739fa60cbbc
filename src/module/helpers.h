// Leaves out the static helpers that a file of kernels does not use.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::module {

/// The parts without static functions and tables (`static … name(…) {…}` and
/// `static const … name… = …;` that begin in column 0 and end with `}` or `};` in column 0, with
/// the comment above them) that nothing else names. Parts that become empty are dropped.
/// Compilers warn of unused ones, and readers wonder.
std::vector<std::string> drop_unused_helpers(const std::vector<std::string>& parts);

/// How often each word of C text occurs, comments not counted.
std::map<std::string, int, std::less<>> word_counts(std::string_view text);

/// The name that a declaration of one function, array or object gives: the word before its first
/// `(`, `[` or `=`; empty when there is none.
std::string declared_name(std::string_view declaration);

}  // namespace ingot::module
