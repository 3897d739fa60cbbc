// The offsets that a model may bring along for its tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memory/plan.h"

namespace ingot::memory {

/// The metadata entry's name.
inline constexpr std::string_view kOfflineName = "OfflineMemoryAllocation";

/// By the model's tensor index; nothing where the model leaves it to the planner.
struct OfflineOffsets {
    std::vector<std::optional<std::size_t>> offsets;  ///< bytes, multiples of 16
    std::string problem;                              ///< why the entry can't be used, or empty
};

/// The subgraph that an entry says it is for; nothing when it is too short to say.
std::optional<std::int64_t> offline_subgraph(const std::vector<std::uint8_t>& data);

/// Reads an entry: little-endian int32 words: the version, 1; the subgraph that it is for; the
/// number of tensors; and for each tensor the offset in the arena, or -1. The format is described
/// in TensorFlow Lite Micro's docs/memory_management.md, "Offline planned tensor allocations".
/// A problem is another version, subgraph or number than OfflineEntry's, missing or surplus
/// bytes, an offset that is negative or no multiple of 16, and one for what isn't in the arena:
/// constants and variables.
OfflineOffsets parse_offline_plan(const OfflineEntry& entry);

/// Whether plan() can use the entry for the program; if not, a warning says why.
bool offline_plan_is_usable(const program::Program& program, const OfflineEntry& entry,
                            bool inputs_overwritable, support::Diagnostics& diagnostics);

}  // namespace ingot::memory
