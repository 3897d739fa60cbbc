// Lower bounds on the size of one arena.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "memory/offsets.h"
#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

// Bytes that begin to be live at a step, less those that ended before it.
using Changes = std::map<std::int64_t, std::int64_t>;

std::size_t rounded(const OffsetProblem& problem, std::size_t buffer) {
    return support::align_up(problem.buffers[buffer].size, problem.alignment);
}

Changes changes(const OffsetProblem& problem) {
    Changes result;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const auto size = static_cast<std::int64_t>(rounded(problem, b));
        result[problem.buffers[b].lifetime.first] += size;
        result[problem.buffers[b].lifetime.last + 1] -= size;
    }
    return result;
}

std::size_t peak(const Changes& changes) {
    std::int64_t live = 0;
    std::int64_t most = 0;
    for (const auto& [step, change] : changes) {
        live += change;
        most = std::max(most, live);
    }
    return static_cast<std::size_t>(most);
}

// The most bytes that the two buffers of each pair with a distance can share.
std::map<std::pair<std::size_t, std::size_t>, std::size_t> shared_by_pair(
    const OffsetProblem& problem) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> shared;
    for (const Distance& distance : problem.distances) {
        const std::size_t bytes = std::min(rounded(problem, distance.lower) - distance.bytes,
                                           rounded(problem, distance.upper));
        std::size_t& most = shared[std::minmax(distance.lower, distance.upper)];
        most = std::max(most, bytes);
    }
    return shared;
}

}  // namespace

std::size_t liveness_bound(const OffsetProblem& problem) {
    return peak(changes(problem));
}

// In the only step that a pair has in common, the one that begins there lies over those that end
// there; no more of it is shared than it has bytes, as those are apart from each other.
std::size_t overlap_bound(const OffsetProblem& problem) {
    std::map<std::size_t, std::size_t> by_later;  // the buffer that begins later: bytes shared
    for (const auto& [pair, bytes] : shared_by_pair(problem)) {
        const auto& [a, b] = pair;
        const bool a_is_later =
            problem.buffers[a].lifetime.first > problem.buffers[b].lifetime.first;
        by_later[a_is_later ? a : b] += bytes;
    }
    Changes all = changes(problem);
    for (const auto& [buffer, bytes] : by_later) {
        const auto most = static_cast<std::int64_t>(std::min(bytes, rounded(problem, buffer)));
        const std::int64_t step = problem.buffers[buffer].lifetime.first;
        all[step] -= most;
        all[step + 1] += most;
    }
    return peak(all);
}

}  // namespace ingot::memory
