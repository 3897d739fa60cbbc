#include "report/residency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "support/hash.h"

namespace ingot::report {
namespace {

using memory::MemoryPlan;
using memory::Region;
using nlohmann::json;
using program::Program;
using program::Role;
using program::TensorId;

constexpr int kSchema = 5;
constexpr std::size_t kHashDigits = 16;

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string short_hash(const std::string& text) {
    return support::sha256_hex(std::string_view(text)).substr(0, kHashDigits);
}

json storage(const Region& region, const Program& program, const MemoryPlan& plan,
             const ResidencyOptions& options) {
    json runtime = {
        {"data_offset_bytes", 0},
        {"memory", region.memory},
        {"owner", options.allocate_arenas ? "generated" : "application"},
        {"size_bytes", region.size},
        {"symbol", options.allocate_arenas ? json(runtime_symbol(region)) : json(nullptr)},
    };
    json source = nullptr;
    if (region.staged()) {
        source = {{"memory", region.source_memory},
                  {"size_bytes", region.size},
                  {"symbol", source_symbol(region)}};
    }
    json sidecar = nullptr;
    if (const std::string file = sidecar_file(region, options.allocate_arenas); !file.empty()) {
        const std::vector<std::uint8_t> bytes = region.contents(program, plan);
        sidecar = {{"file", file},
                   {"sha256", support::sha256_hex(std::span<const std::uint8_t>(bytes))},
                   {"size_bytes", bytes.size()}};
    }
    return {{"enum_name", region.enum_name},
            {"runtime", std::move(runtime)},
            {"sidecar", std::move(sidecar)},
            {"source", std::move(source)}};
}

// Used bytes that are not live at the peak, as a fraction; the integer 0 when there are none.
json fragmentation(const Region& region) {
    if (region.size <= region.peak_live) return 0;
    return static_cast<double>(region.size - region.peak_live) / static_cast<double>(region.size);
}

json arena(std::size_t id, const Program& program, const MemoryPlan& plan,
           const ResidencyOptions& options) {
    const Region& region = plan.regions[id];
    json result = {
        {"alignment", region.alignment},
        {"memory", region.memory},
        {"region_id", id},
        {"storage", storage(region, program, plan, options)},
        {"total_size", region.budget},
        {"used", region.size},
    };
    if (region.role == Role::constant) {
        result["kind"] = region.staged() ? "staged" : "cold";
        result["source_memory"] = region.source_memory;
        result["tensor_count"] = region.tensors.size();
    }
    if (region.role == Role::scratch) {
        result["fragmentation"] = fragmentation(region);
        result["peak_live"] = region.peak_live;
        if (options.ingot_keys) {
            result["lower_bound"] = region.lower_bound;
            result["overlap_lower_bound"] = region.overlap_lower_bound;
            result["optimal"] = region.optimal;
        }
    }
    return result;
}

// One tensor as the report and its hash see it.
struct Row {
    const program::Tensor* tensor;
    const Region* region;
    std::size_t offset;
};

std::vector<Row> rows(const Program& program, const MemoryPlan& plan) {
    std::vector<Row> result;
    for (TensorId id : report_order(program, plan)) {
        const memory::Placement& placement = *plan.placements[id];
        result.push_back({&program.tensor(id), &plan.regions[placement.region], placement.offset});
    }
    return result;
}

}  // namespace

std::string plan_hash(const MemoryPlan& plan) {
    std::string text;
    for (const Region& region : plan.regions) {
        text += fmt::format("{}|{}|{}|{}|{}|{};", program::name(region.role), upper(region.memory),
                            upper(region.source_memory), region.size, region.alignment,
                            region.staged() ? 1 : 0);
    }
    return short_hash(text);
}

std::string tensor_layout_hash(const Program& program, const MemoryPlan& plan) {
    std::string text;
    for (const Row& row : rows(program, plan)) {
        text += fmt::format("{}|{}|{}|{}|{};", row.tensor->id, program::name(row.region->role),
                            upper(row.region->memory), row.offset, row.tensor->size);
    }
    return short_hash(text);
}

std::vector<TensorId> report_order(const Program& program, const MemoryPlan& plan) {
    std::vector<TensorId> order;
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        if (plan.placements.at(id)) order.push_back(id);
    }
    std::sort(order.begin(), order.end(), [&](TensorId a, TensorId b) {
        const program::Tensor& x = program.tensor(a);
        const program::Tensor& y = program.tensor(b);
        const bool added_x = x.model_index < 0;
        const bool added_y = y.model_index < 0;
        if (added_x != added_y) return added_y;
        if (!added_x && x.model_index != y.model_index) return x.model_index < y.model_index;
        return x.id < y.id;
    });
    return order;
}

std::string runtime_symbol(const Region& region) {
    const bool cold = region.role == Role::constant && !region.staged();
    return region.enum_name + (cold ? "__blob" : "_buffer");
}

std::string source_symbol(const Region& region) {
    return region.enum_name + "__source";
}

std::string sidecar_file(const Region& region, bool allocate_arenas) {
    if (region.staged()) return region.enum_name + "__source.bin";
    if (region.role == Role::constant && !allocate_arenas) return region.enum_name + "__blob.bin";
    return {};
}

json residency(const Program& program, const MemoryPlan& plan, const ResidencyOptions& options) {
    json arenas = {
        {"constant", json::array()}, {"persistent", json::array()}, {"scratch", json::array()}};
    for (std::size_t id = 0; id < plan.regions.size(); ++id) {
        arenas[std::string(program::name(plan.regions[id].role))].push_back(
            arena(id, program, plan, options));
    }
    json tensors = json::array();
    for (const Row& row : rows(program, plan)) {
        tensors.push_back({{"id", row.tensor->id},
                           {"memory", row.region->memory},
                           {"offset", row.offset},
                           {"role", program::name(row.region->role)},
                           {"size", row.tensor->size},
                           {"source_memory", row.region->source_memory}});
    }
    return {{"arenas", std::move(arenas)},
            {"compiler_version", options.compiler_version},
            {"module_prefix", options.prefix},
            {"plan_hash", plan_hash(plan)},
            {"schema_version", kSchema},
            {"tensor_layout_hash", tensor_layout_hash(program, plan)},
            {"tensors", std::move(tensors)}};
}

std::string to_text(const json& value) {
    // Names come from the model and need not be UTF-8: what isn't is replaced, never refused.
    return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace ingot::report
