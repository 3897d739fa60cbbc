#include "report/peak.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "support/arithmetic.h"

namespace ingot::report {
namespace {

using memory::MemoryPlan;
using memory::Region;
using program::Program;
using program::Role;
using program::TensorId;

constexpr std::size_t kUnit = 16;  // bytes: every offset is a multiple of it

std::string tensors_text(const Program& program, const std::vector<TensorId>& ids) {
    std::string text;
    for (const TensorId id : ids) {
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", program.tensor(id).id,
                            program.tensor(id).size);
    }
    return text;
}

// How far a scratch arena is from the bounds.
void add_bounds(const Program& program, const MemoryPlan& plan, const Region& region,
                std::vector<Hint>& hints) {
    if (!region.optimal && region.size > region.overlap_lower_bound) {
        hints.push_back(
            {"not-proven-optimal",
             fmt::format("{} is {} bytes above its lower bound of {}", region.enum_name,
                         region.size - region.overlap_lower_bound, region.overlap_lower_bound),
             region.memory,
             region.size - region.overlap_lower_bound,
             true,
             {}});
    }
    const Peak at = peak(program, plan, region);
    hints.push_back(
        {"peak",
         fmt::format("{} is fullest at {}, with tensors {} (bytes) live; it needs {} bytes, and in "
                     "this order of operators no plan needs less than {}",
                     region.enum_name, step_text(program, at.step),
                     tensors_text(program, at.tensors), region.size, region.overlap_lower_bound),
         region.memory,
         0,  // it tells where the peak is; no setting takes it away
         false,
         {}});
}

void add_spilled(const Program& program, const MemoryPlan& plan, std::vector<Hint>& hints) {
    std::map<std::string, std::uint64_t> bytes;  // by the memory that was wanted
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        const std::string& wanted = plan.decisions.at(id).spilled_from;
        if (wanted.empty() || program.tensor(id).view_of) continue;
        bytes[wanted] += program.tensor(id).size;
    }
    for (const auto& [memory, sum] : bytes) {
        hints.push_back({"spilled",
                         fmt::format("{} bytes of tensors had no room in {} and live in memories "
                                     "named later: `spilled` lists them",
                                     sum, memory),
                         memory,
                         0,
                         false,
                         {}});
    }
}

// Equal constants share a place in one arena, but not across arenas.
void add_duplicates(const Program& program, const MemoryPlan& plan,
                    const std::vector<std::string>& rules, std::vector<Hint>& hints) {
    std::map<std::vector<std::uint8_t>, TensorId> first;
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        const program::Tensor& tensor = program.tensor(id);
        if (tensor.role != Role::constant || tensor.view_of || !plan.placements.at(id)) continue;
        if (tensor.data.empty()) continue;
        const auto [found, added] = first.emplace(tensor.data, id);
        const Region& here = plan.regions[plan.placements.at(id)->region];
        const Region& there = plan.regions[plan.placements.at(found->second)->region];
        if (added || &here == &there) continue;
        const std::string rule =
            fmt::format("{{id: {}, attributes: {{memory: {}, constant_destination_memory: {}}}}}",
                        config::flow_text(tensor.id), there.source_memory, there.memory);
        hints.push_back(
            {"identical-constants",
             fmt::format("tensors {} and {} have the same {} bytes, stored in {} and {}: in one "
                         "arena they would share them",
                         program.tensor(found->second).id, tensor.id, tensor.size, there.enum_name,
                         here.enum_name),
             here.source_memory,
             support::align_up(tensor.size, kUnit),
             true,
             {"memory.tensors", config::flow_list(rules, {rule})}});
    }
}

}  // namespace

Peak peak(const Program& program, const MemoryPlan& plan, const Region& region) {
    // Bytes that begin to be live, less those that end, by step; the first is -1.
    const auto last = static_cast<std::int64_t>(program.steps.size());
    std::vector<std::int64_t> changes(static_cast<std::size_t>(last) + 3, 0);
    for (const TensorId id : region.tensors) {
        if (program.tensor(id).view_of) continue;
        const memory::Lifetime& life = plan.lifetimes.at(id);
        const auto bytes =
            static_cast<std::int64_t>(support::align_up(program.tensor(id).size, kUnit));
        changes.at(static_cast<std::size_t>(life.first + 1)) += bytes;
        changes.at(static_cast<std::size_t>(life.last + 2)) -= bytes;
    }
    std::partial_sum(changes.begin(), changes.end(), changes.begin());
    const auto most = std::max_element(changes.begin(), changes.end());
    Peak result{most - changes.begin() - 1, static_cast<std::uint64_t>(*most), {}};
    for (const TensorId id : region.tensors) {
        const memory::Lifetime& life = plan.lifetimes.at(id);
        if (program.tensor(id).view_of || life.first > result.step || life.last < result.step) {
            continue;
        }
        result.tensors.push_back(id);
    }
    return result;
}

std::string step_text(const Program& program, std::int64_t step) {
    if (step < 0) return "the inputs";
    if (step >= static_cast<std::int64_t>(program.steps.size())) return "the outputs";
    const program::Step& at = program.steps[static_cast<std::size_t>(step)];
    return fmt::format("operator {} ({} {})", at.op_index, at.op_type, at.name);
}

std::vector<Hint> plan_hints(const Program& program, const MemoryPlan& plan,
                             const std::vector<std::string>& rules) {
    std::vector<Hint> hints;
    for (const Region& region : plan.regions) {
        if (region.role == Role::scratch) add_bounds(program, plan, region, hints);
    }
    add_spilled(program, plan, hints);
    add_duplicates(program, plan, rules, hints);
    return hints;
}

}  // namespace ingot::report
