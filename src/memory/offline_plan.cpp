#include "memory/offline_plan.h"

#include <fmt/format.h>

#include <cstdint>

#include "memory/items.h"

namespace ingot::memory {
namespace {

constexpr std::size_t kHeaderWords = 3;
constexpr std::int32_t kVersion = 1;
constexpr std::int32_t kUnplanned = -1;

std::int32_t word(const std::vector<std::uint8_t>& data, std::size_t index) {
    std::uint32_t value = 0;
    for (std::size_t b = 0; b < 4; ++b) value |= std::uint32_t{data[4 * index + b]} << (8 * b);
    return static_cast<std::int32_t>(value);
}

std::string check_header(const OfflineEntry& entry) {
    const std::size_t bytes = entry.data.size();
    if (bytes < 4 * kHeaderWords) {
        return fmt::format("it has {} bytes, fewer than its header", bytes);
    }
    if (word(entry.data, 0) != kVersion) {
        return fmt::format("its version is {}, not {}", word(entry.data, 0), kVersion);
    }
    const std::int32_t subgraph = word(entry.data, 1);
    if (subgraph < 0 || static_cast<std::size_t>(subgraph) != entry.subgraph) {
        return fmt::format("it is for subgraph {}, not {}", subgraph, entry.subgraph);
    }
    const std::int32_t count = word(entry.data, 2);
    const std::size_t tensors = entry.in_arena.size();
    if (count < 0 || static_cast<std::size_t>(count) != tensors) {
        return fmt::format("it has offsets for {} tensors, and the model has {}", count, tensors);
    }
    if (bytes != 4 * (kHeaderWords + tensors)) {
        return fmt::format("it has {} bytes, and {} offsets take {}", bytes, tensors,
                           4 * (kHeaderWords + tensors));
    }
    return {};
}

}  // namespace

std::optional<std::int64_t> offline_subgraph(const std::vector<std::uint8_t>& data) {
    if (data.size() < 4 * kHeaderWords) return std::nullopt;
    return word(data, 1);
}

OfflineOffsets parse_offline_plan(const OfflineEntry& entry) {
    OfflineOffsets result;
    result.problem = check_header(entry);
    for (std::size_t t = 0; t < entry.in_arena.size() && result.problem.empty(); ++t) {
        const std::int32_t offset = word(entry.data, kHeaderWords + t);
        result.offsets.emplace_back();
        if (offset == kUnplanned) continue;
        if (offset < 0 || offset % static_cast<std::int32_t>(kTensorAlignment) != 0) {
            result.problem = fmt::format("the offset {} of tensor {} is no multiple of {}", offset,
                                         t, kTensorAlignment);
        } else if (!entry.in_arena[t]) {
            result.problem =
                fmt::format("it has an offset for tensor {}, which is a constant or a variable", t);
        } else {
            result.offsets.back() = static_cast<std::size_t>(offset);
        }
    }
    return result;
}

}  // namespace ingot::memory
