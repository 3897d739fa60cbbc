// Finding a choice of memories quickly: by price saved for each byte, then moves and swaps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory/assign.h"

namespace ingot::memory {

/// What a search may change.
struct Freedom {
    Choices base;            ///< the choice of what isn't free
    std::vector<bool> free;  ///< by item
};

/// What isn't free where it must be, then the others, each in the first memory of its list that
/// has room after `reserve` bytes (by memory) are left free: in the order of the price saved for
/// each byte and for each byte and step, of which the cheaper counts; when both leave something
/// over, fewest alternatives first, and largest first.
/// Then improved: an item moves to a memory that it prefers as soon as there is room, or when
/// another one, for less than that saves, makes room. Nothing when all orders fail.
std::optional<Choices> first_fit(const Problem& problem, const Prices& prices,
                                 const Freedom& freedom, const std::vector<std::uint64_t>& reserve);

/// As first_fit by price, not improved; what fits nowhere goes into the last memory of its list.
Choices forced_fit(const Problem& problem, const Prices& prices, const Freedom& freedom);

}  // namespace ingot::memory
