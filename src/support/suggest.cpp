#include "support/suggest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace ingot::support {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

// Optimal string alignment distance: insertions, deletions, substitutions and swaps of
// neighbours (Damerau 1964, in the restricted form).
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
    constexpr std::size_t kLongestWord = 64;  // longer words are no misspelling of ours
    if (word.size() > kLongestWord) return {};
    const std::string wanted = lower(word);
    std::size_t best = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    std::string result;
    for (const std::string& candidate : candidates) {
        const std::size_t d = distance(wanted, lower(candidate));
        if (d < best) {
            best = d;
            result = candidate;
        }
    }
    return result;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
    const std::string best = nearest(word, candidates);
    return best.empty() ? std::string() : "did you mean '" + best + "'?";
}

}  // namespace ingot::support
