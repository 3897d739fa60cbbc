#include "report/spills.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "memory/budget.h"

namespace ingot::report {

using memory::Decision;
using nlohmann::json;
using program::TensorId;

json number(double value) {
    constexpr double kExact = 9007199254740992.0;  // 2^53: beyond it not every integer is a double
    if (value == std::floor(value) && std::abs(value) < kExact) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

json spilled_report(const program::Program& program, const memory::MemoryPlan& plan,
                    const platforms::Platform& platform,
                    const std::vector<config::MemoryConstraint>& constraints) {
    std::vector<TensorId> spilled;
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        if (!plan.decisions.at(id).spilled_from.empty() && !program.tensor(id).view_of) {
            spilled.push_back(id);
        }
    }
    const auto more = [&](TensorId id) {
        return plan.decisions[id].cost - plan.decisions[id].wanted_cost;
    };
    std::stable_sort(spilled.begin(), spilled.end(),
                     [&](TensorId a, TensorId b) { return more(a) > more(b); });
    json result = json::array();
    for (TensorId id : spilled) {
        const Decision& decision = plan.decisions[id];
        const memory::Region& region = plan.regions[plan.placements.at(id)->region];
        const platforms::Memory* bound = platform.find(decision.bound_by);
        const auto budget =
            bound == nullptr ? std::optional<std::uint64_t>() : memory::budget(*bound, constraints);
        result.push_back({{"bound_by",
                           {{"budget", budget ? json(*budget) : json(nullptr)},
                            {"memory", decision.bound_by},
                            {"over_by", decision.over_by}}},
                          {"cost", number(decision.cost)},
                          {"id", program.tensor(id).id},
                          {"memory", region.memory},
                          {"more_cost", number(more(id))},
                          {"size", program.tensor(id).size},
                          {"source_memory", region.source_memory},
                          {"touched_bytes", decision.touched_bytes},
                          {"wanted", decision.spilled_from}});
    }
    return result;
}

json assignment_report(const memory::MemoryPlan& plan) {
    const memory::Assignment& assignment = plan.assignment;
    return {{"cost", number(assignment.cost)},
            {"fastest_cost", number(assignment.fastest)},
            {"gap", number(assignment.gap)},
            {"optimal", assignment.optimal()}};
}

std::string spill_text(const Decision& decision, const std::string& memory) {
    if (decision.spilled_from.empty()) return {};
    const std::string lost =
        decision.over_by > 0
            ? fmt::format("with it {} would be {} bytes over its budget", decision.bound_by,
                          decision.over_by)
            : fmt::format("no packing of {} was found that holds it", decision.bound_by);
    return fmt::format("wanted {}, got {}: {}; {} bytes touched cost {} more an inference",
                       decision.spilled_from, memory, lost, decision.touched_bytes,
                       number(decision.cost - decision.wanted_cost).dump());
}

}  // namespace ingot::report
