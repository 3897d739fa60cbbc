// The lowest packing by exact search, restarted with changing targets and orders.
#pragma once

#include <cstdint>

#include "memory/offsets.h"

namespace ingot::memory {

/// Lowers `best` (a packing of the problem with its proven lower bound) until it meets the bound or
/// partial packings with `open` unplaced buffers together were visited (Effort), and raises the
/// bound where a search proves that nothing is at or below a height. Deterministic.
void improve_exactly(const OffsetProblem& problem, std::uint64_t open, Offsets& best);

}  // namespace ingot::memory
