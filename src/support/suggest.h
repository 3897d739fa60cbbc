// "Did you mean": the nearest of a set of known names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ingot::support {

/// The candidate nearest to `word` by Damerau-Levenshtein distance (case is ignored), or an
/// empty string when none is near enough to be worth a suggestion. Ties: the first candidate.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// `did you mean 'x'?`, or an empty string.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace ingot::support
