#include "driver/offline_entry.h"

#include <fmt/format.h>

#include "memory/offline_plan.h"

namespace ingot::driver {

std::optional<memory::OfflineEntry> offline_entry(const config::Config& config,
                                                  const Imported& imported,
                                                  support::Diagnostics& diagnostics) {
    if (!config.memory.honor_offline_plan) return std::nullopt;
    const ir::Metadata* found = nullptr;
    for (const ir::Metadata& metadata : imported.model.metadata) {
        if (metadata.name != memory::kOfflineName) continue;
        if (found == nullptr) found = &metadata;
        if (memory::offline_subgraph(metadata.data) == static_cast<std::int64_t>(imported.entry)) {
            found = &metadata;
            break;
        }
    }
    if (found == nullptr) {
        const auto origin = config.origins.find("memory.honor_offline_plan");
        diagnostics.warning(
            origin == config.origins.end() ? std::string() : origin->second.to_text(),
            fmt::format("the model has no metadata '{}'", memory::kOfflineName),
            "tensors are placed as if nothing had been asked for");
        return std::nullopt;
    }
    memory::OfflineEntry entry{found->data, imported.entry, {}};
    for (const ir::Tensor& tensor : imported.model.subgraphs[imported.entry].tensors) {
        entry.in_arena.push_back(!tensor.constant && !tensor.variable);
    }
    return entry;
}

}  // namespace ingot::driver
