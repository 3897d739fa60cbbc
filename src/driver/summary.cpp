#include "driver/summary.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "memory/budget.h"

namespace ingot::driver {
namespace {

using nlohmann::json;

const char* type_name(config::ModuleType type) {
    switch (type) {
        case config::ModuleType::cmake:
            return "cmake";
        case config::ModuleType::zephyr:
            return "zephyr";
        case config::ModuleType::nsx:
            return "nsx";
        case config::ModuleType::cmsis_pack:
            return "cmsis_pack";
    }
    return "cmake";
}

json arena(const Compilation& c, const memory::Region& region) {
    const platforms::Memory* memory = c.platform.find(region.memory);
    const auto limit = memory == nullptr ? std::optional<std::uint64_t>()
                                         : memory::budget(*memory, c.config.memory.constraints);
    json entry = {{"name", region.enum_name}, {"role", std::string(program::name(region.role))},
                  {"memory", region.memory},  {"source_memory", region.source_memory},
                  {"used", region.size},      {"limit", nullptr},
                  {"staged", region.staged()}};
    if (limit) entry["limit"] = *limit;
    if (region.role == program::Role::scratch) {
        entry["peak_live"] = region.peak_live;
        entry["lower_bound"] = region.lower_bound;
        entry["overlap_lower_bound"] = region.overlap_lower_bound;
        entry["optimal"] = region.optimal;
    }
    return entry;
}

// RAM: what needs writable memory at run time. Flash: bytes that the image must keep, which
// are the constants, also those that are copied to RAM before the first run.
json totals(const Compilation& c) {
    std::uint64_t ram = 0;
    std::uint64_t flash = 0;
    for (const memory::Region& region : c.plan.regions) {
        const platforms::Memory* memory = c.platform.find(region.memory);
        const bool in_ram = memory == nullptr || memory->is_volatile;
        if (in_ram) ram += region.size;
        if (region.role == program::Role::constant) flash += region.size;
    }
    std::uint64_t macs = 0;
    for (const program::Step& step : c.program.steps) macs += step.macs;
    return {{"ram", ram}, {"flash", flash}, {"macs", macs}, {"operators", c.program.steps.size()}};
}

}  // namespace

json summary(const Compilation& c) {
    json arenas = json::array();
    for (const memory::Region& region : c.plan.regions) arenas.push_back(arena(c, region));
    json transforms = json::array();
    for (const passes::PassResult& pass : c.passes) {
        transforms.push_back({{"name", pass.name},
                              {"enabled", pass.enabled},
                              {"changes", pass.changes},
                              {"removed_operators", pass.removed_operators},
                              {"removed_bytes", pass.removed_bytes}});
    }
    return {{"module",
             {{"name", c.config.module.name},
              {"prefix", c.config.module.prefix},
              {"type", type_name(c.config.module.type)},
              {"platform", c.platform.name},
              {"model", c.program.name}}},
            {"arenas", std::move(arenas)},
            {"order", report::order_report(c.order)},
            {"totals", totals(c)},
            {"transforms", std::move(transforms)}};
}

std::string summary_text(const Compilation& compilation) {
    return summary(compilation).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace ingot::driver
