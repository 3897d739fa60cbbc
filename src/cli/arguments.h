// The words of the command line, before CLI11 sees them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ingot::cli {

/// Puts the words into the form that the parser knows: in flags `-` and `_` are the same;
/// `--key` and `--no-key` of a boolean become `--key=true` and `--key=false`. Throws
/// Failure(usage), with a suggestion, for an unknown command or flag.
std::vector<std::string> normalise(const CLI::App& root, const std::vector<std::string>& words);

}  // namespace ingot::cli
