// Planning the offsets of one arena: buffers with lifetimes, and which may share bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "memory/plan.h"

namespace ingot::memory {

/// A buffer to place: half-open use is not needed, lifetimes are inclusive.
struct Buffer {
    std::size_t size = 0;  ///< bytes, above 0
    Lifetime lifetime;
    std::size_t alignment = 1;  ///< of its offset, bytes, a power of two
    /// The offset it must have, bytes; a multiple of its alignment.
    std::optional<std::size_t> fixed = std::nullopt;
};

/// A permission to share bytes: `upper` may begin within `lower`, `bytes` or more behind its
/// beginning. Without one, two buffers that live together are at least the lower one's size apart.
struct Distance {
    std::size_t lower = 0;  ///< index of the buffer that begins first, or together with `upper`
    std::size_t upper = 0;
    std::size_t bytes = 0;  ///< at most the size of `lower`
};

/// One arena to pack.
struct OffsetProblem {
    std::vector<Buffer> buffers;
    /// At most one for each ordered pair; only pairs that live together in just one step.
    std::vector<Distance> distances;
    /// Bytes, a power of two: sizes, distances and offsets are multiples of it, so that every
    /// buffer's own alignment is at least this.
    std::size_t alignment = 1;
};

struct Offsets {
    std::vector<std::size_t> offsets;  ///< bytes, by buffer
    std::size_t height = 0;            ///< bytes: the largest offset plus size, sizes rounded up
    std::size_t lower_bound = 0;       ///< bytes: proven, no packing is lower
    std::uint64_t nodes = 0;           ///< partial packings that the exact search visited
    bool optimal() const { return height == lower_bound; }
};

/// How much work plan_best does, in what is the same on every machine.
struct Effort {
    std::uint64_t neighbours = 0;  ///< looked at by the heuristics
    std::uint64_t open = 0;        ///< looked at by the exact search: unplaced buffers of its nodes
};

/// What a conversion does, and what ingot-plan-bench does.
inline constexpr Effort kUsual{6'000'000, 2'000'000};
inline constexpr Effort kThorough{6'000'000, 150'000'000};

/// For buffers and alignment of a problem; distances and fixed offsets are not looked at.
/// Largest first (ties: the earlier buffer), each at the lowest aligned offset free during its
/// lifetime; what the reference system does.
Offsets plan_greedy(const OffsetProblem& problem);

/// The lowest packing found: several orders and heuristics, then exact search. Ends at the
/// bound or when the effort is spent. Without fixed buffers never above plan_greedy.
/// Throws std::logic_error when fixed buffers are in each other's way.
Offsets plan_best(const OffsetProblem& problem, const Effort& effort);

/// The most bytes live in one step, sizes rounded up to the alignment: no packing that uses no
/// distance is lower.
std::size_t liveness_bound(const OffsetProblem& problem);

/// The same less what the distances let buffers share at most: no packing is lower. Never above
/// liveness_bound.
std::size_t overlap_bound(const OffsetProblem& problem);

}  // namespace ingot::memory
