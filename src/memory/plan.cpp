#include "memory/plan.h"

#include <algorithm>
#include <utility>

#include "memory/assign.h"
#include "memory/budget.h"
#include "memory/fixed.h"
#include "memory/items.h"
#include "memory/no_room.h"
#include "memory/regions.h"
#include "memory/rules.h"
#include "memory/spills.h"

namespace ingot::memory {
namespace {

MemoryPlan fit(const Problem& problem, const PlanOptions& options) {
    std::optional<Assigned> assigned = assign(problem, options);
    if (!assigned) {
        const Choices best_effort = assign_overfull(problem);
        throw no_room(problem, best_effort, lay_out(problem, best_effort, options));
    }
    explain(problem, assigned->choices, assigned->plan);
    return std::move(assigned->plan);
}

}  // namespace

std::vector<std::uint8_t> Region::contents(const program::Program& program,
                                           const MemoryPlan& plan) const {
    std::vector<std::uint8_t> bytes(role == Role::constant ? size : 0, 0);
    for (TensorId id : tensors) {
        if (role != Role::constant) break;
        const TensorId root = program.root(id);
        const std::vector<std::uint8_t>& data = program.tensor(root).data;
        std::copy(data.begin(), data.end(),
                  bytes.begin() + static_cast<std::ptrdiff_t>(plan.placements.at(root)->offset));
    }
    return bytes;
}

void set_directions(program::Program& program, const MemoryPlan& plan) {
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        if (plan.backwards.at(s)) program::run_backwards(program.steps[s]);
    }
}

program::Layout MemoryPlan::layout() const {
    program::Layout result;
    for (const Region& region : regions) result.arena_sizes.push_back(region.size);
    for (const std::optional<Placement>& placement : placements) {
        result.places.push_back(placement ? program::Place{placement->region, placement->offset}
                                          : program::Place{});
    }
    return result;
}

MemoryPlan plan(const program::Program& program, const platforms::Platform& platform,
                const PlanOptions& options, support::Diagnostics& diagnostics) {
    std::vector<Lifetime> lives = lifetimes(program, options.inputs_overwritable);
    const std::vector<Item> all = items(program, lives);
    std::vector<Wish> wishes = resolve(program, all, platform, options, diagnostics);
    const auto limits = budgets(platform, options.memory.constraints, options.ignore_budgets);
    if (options.offline) {
        apply_offline_plan(program, all, *options.offline, limits, wishes, diagnostics);
    }
    const bool greedy = options.memory.planner == config::Planner::greedy;
    const Problem problem{program,
                          platform,
                          all,
                          wishes,
                          limits,
                          greedy ? std::vector<ItemOverlap>{} : overlaps(program, all),
                          equal_contents(program, all)};
    check_fixed(problem);
    MemoryPlan result = fit(problem, options);
    result.lifetimes = std::move(lives);
    result.code = place_code(program, options.operators, diagnostics);
    return result;
}

}  // namespace ingot::memory
