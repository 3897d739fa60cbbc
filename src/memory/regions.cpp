#include "memory/regions.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "memory/offsets.h"
#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

using support::align_up;

// In the order of region ids.
struct Key {
    Role role;
    std::string memory;
    std::string source;

    bool operator<(const Key& other) const {
        return std::tie(role, memory, source) < std::tie(other.role, other.memory, other.source);
    }
};

using Groups = std::map<Key, std::vector<std::size_t>>;  // items, in order of definition

Groups group(const Problem& problem, const Choices& choices) {
    Groups groups;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        const Candidate& where = problem.wishes[i].candidates[choices[i]];
        groups[{problem.items[i].role, problem.platform.memories[where.memory].name,
                problem.platform.memories[where.source].name}]
            .push_back(i);
    }
    return groups;
}

std::size_t sources_of(const Groups& groups, const std::string& memory) {
    return static_cast<std::size_t>(
        std::count_if(groups.begin(), groups.end(), [&](const auto& entry) {
            return entry.first.role == Role::constant && entry.first.memory == memory;
        }));
}

std::string enum_name(const Key& key, const Groups& groups, const std::string& prefix) {
    const std::string memory = identifier(key.memory);
    if (key.role == Role::scratch) return prefix + "_arena_" + memory;
    if (key.role == Role::persistent) return prefix + "_arena_persistent_" + memory;
    std::string name = prefix + "_arena_const_" + memory;
    if (sources_of(groups, key.memory) > 1) name += "_from_" + identifier(key.source);
    return name;
}

// Names of memories that differ in what no identifier may have, or that look like the name of
// another arena, are told apart by a number.
std::string unique(std::string name, std::set<std::string>& taken) {
    std::string result = name;
    for (int n = 2; !taken.insert(result).second; ++n) result = name + "_" + std::to_string(n);
    return result;
}

class Layout {
  public:
    Layout(const Problem& problem, const PlanOptions& options)
        : problem_(problem), options_(options) {
        plan_.placements.resize(problem.program.tensors.size());
        plan_.decisions.resize(problem.program.tensors.size());
    }

    MemoryPlan build(const Choices& choices) {
        const Groups groups = group(problem_, choices);
        std::set<std::string> names;
        for (const auto& [key, items] : groups) {
            Region region;
            region.role = key.role;
            region.memory = key.memory;
            region.source_memory = key.source;
            region.enum_name = unique(enum_name(key, groups, options_.prefix), names);
            for (std::size_t i : items) {
                region.alignment = std::max(region.alignment, problem_.wishes[i].alignment);
            }
            place(region, items);
            std::sort(region.tensors.begin(), region.tensors.end());
            plan_.regions.push_back(std::move(region));
        }
        choose_directions();
        set_budgets();
        record_decisions(choices);
        return std::move(plan_);
    }

  private:
    void place(Region& region, const std::vector<std::size_t>& items) {
        if (region.role == Role::scratch) {
            place_scratch(region, items);
        } else {
            place_in_row(region, items);
        }
    }

    void put(Region& region, std::size_t item, std::size_t offset) {
        for (TensorId id : problem_.items[item].members) {
            plan_.placements[id] =
                Placement{plan_.regions.size(), offset + problem_.program.root_offset(id)};
            region.tensors.push_back(id);
        }
    }

    // One after the other; equal constants share the first one's place.
    void place_in_row(Region& region, const std::vector<std::size_t>& items) {
        std::map<std::size_t, std::size_t> offset_of;  // by content
        std::size_t end = 0;
        for (std::size_t i : items) {
            const std::size_t offset = align_up(end, kTensorAlignment);
            const auto [found, fresh] = offset_of.emplace(problem_.content[i], offset);
            if (fresh) end = offset + problem_.items[i].size;
            put(region, i, found->second);
        }
        region.size = align_up(end, region.alignment);
    }

    // The buffers of a scratch arena and what of them may overlap.
    OffsetProblem offset_problem(const std::vector<std::size_t>& items) const {
        OffsetProblem problem;
        problem.alignment = kTensorAlignment;
        std::vector<std::size_t> buffer_of(problem_.items.size(), problem_.items.size());
        for (std::size_t i : items) {
            buffer_of[i] = problem.buffers.size();
            problem.buffers.push_back({problem_.items[i].size, problem_.items[i].lifetime,
                                       kTensorAlignment, problem_.wishes[i].offset});
        }
        if (greedy()) return problem;
        for (const ItemOverlap& overlap : problem_.overlaps) {
            const std::size_t input = buffer_of[overlap.input];
            const std::size_t output = buffer_of[overlap.output];
            if (std::max(input, output) == problem_.items.size()) continue;
            problem.distances.push_back({output, input, overlap.below});
            problem.distances.push_back({input, output, overlap.above});
        }
        return problem;
    }

    bool greedy() const { return options_.memory.planner == config::Planner::greedy; }

    void place_scratch(Region& region, const std::vector<std::size_t>& items) {
        const OffsetProblem problem = offset_problem(items);
        // Without effort it is plan_greedy, around fixed buffers if there are any.
        const Offsets offsets = plan_best(problem, greedy() ? Effort{0, 0} : kUsual);
        for (std::size_t n = 0; n < items.size(); ++n) put(region, items[n], offsets.offsets[n]);
        region.size = align_up(offsets.height, region.alignment);
        region.greedy_size = align_up(plan_greedy(problem).height, region.alignment);
        region.peak_live = liveness_bound(problem);
        region.lower_bound = align_up(region.peak_live, region.alignment);
        region.overlap_lower_bound = align_up(overlap_bound(problem), region.alignment);
        region.optimal = region.size == align_up(offsets.lower_bound, region.alignment);
    }

    // A step whose output lies nearer above its input than running forwards allows.
    void choose_directions() {
        plan_.backwards.assign(problem_.program.steps.size(), false);
        for (const ItemOverlap& overlap : problem_.overlaps) {
            const Item& input = problem_.items[overlap.input];
            const Item& output = problem_.items[overlap.output];
            const Placement& from = *plan_.placements[input.root];
            const Placement& to = *plan_.placements[output.root];
            if (from.region != to.region || to.offset + output.size <= from.offset ||
                from.offset + input.size <= to.offset) {
                continue;
            }
            plan_.backwards[overlap.step] = from.offset < to.offset + overlap.below;
        }
    }

    // What a scratch arena may grow to: the memory's budget without the other arenas in it.
    // Without a limit, and for constants and state, the arena's own size.
    void set_budgets() {
        for (Region& region : plan_.regions) {
            region.budget = region.size;
            if (region.role != Role::scratch) continue;
            const std::optional<std::uint64_t> budget = budget_of(region.memory);
            if (!budget) continue;
            std::uint64_t others = 0;
            for (const Region& other : plan_.regions) {
                if (&other == &region) continue;
                if (other.memory == region.memory || other.source_memory == region.memory) {
                    others += other.size;
                }
            }
            if (others <= *budget) region.budget = std::max(region.budget, *budget - others);
        }
    }

    std::optional<std::uint64_t> budget_of(const std::string& memory) const {
        for (std::size_t m = 0; m < problem_.budgets.size(); ++m) {
            if (problem_.platform.memories[m].name == memory) return problem_.budgets[m];
        }
        return std::nullopt;
    }

    void record_decisions(const Choices& choices) {
        for (std::size_t i = 0; i < problem_.items.size(); ++i) {
            const Wish& wish = problem_.wishes[i];
            Decision decision = wish.decision;
            if (choices[i] > 0) {
                const auto& memories = problem_.platform.memories;
                const Candidate& wanted = wish.candidates.front();
                decision.spilled_from = memories[wanted.memory].name;
                decision.reason += "; spilled from " + memories[wanted.memory].name;
                if (wanted.source != wanted.memory) {
                    decision.reason += " (stored in " + memories[wanted.source].name + ")";
                }
            }
            for (TensorId id : problem_.items[i].members) plan_.decisions[id] = decision;
        }
    }

    const Problem& problem_;
    const PlanOptions& options_;
    MemoryPlan plan_;
};

}  // namespace

std::string identifier(std::string_view text) {
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(),
        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_'; }, '_');
    return result;
}

MemoryPlan lay_out(const Problem& problem, const Choices& choices, const PlanOptions& options) {
    return Layout(problem, options).build(choices);
}

}  // namespace ingot::memory
