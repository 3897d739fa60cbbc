#include "memory/plan.h"

#include <algorithm>
#include <utility>

#include "memory/budget.h"
#include "memory/items.h"
#include "memory/no_room.h"
#include "memory/regions.h"
#include "memory/rules.h"

namespace ingot::memory {
namespace {

// Attempts to give scratch more room than its liveness needs before giving up.
constexpr int kAttempts = 24;

std::uint64_t used(const MemoryPlan& plan, const std::string& memory) {
    std::uint64_t sum = 0;
    for (const Region& region : plan.regions) {
        if (region.memory == memory || region.source_memory == memory) sum += region.size;
    }
    return sum;
}

// Adds to `reserve` what each memory is over its budget; false when none is. Fragmentation is
// known only once offsets are, so the next assignment must leave that much free.
bool add_excess(const Problem& problem, const MemoryPlan& plan,
                std::vector<std::uint64_t>& reserve) {
    bool over = false;
    for (std::size_t m = 0; m < problem.budgets.size(); ++m) {
        if (!problem.budgets[m]) continue;
        const std::uint64_t bytes = used(plan, problem.platform.memories[m].name);
        if (bytes <= *problem.budgets[m]) continue;
        over = true;
        reserve[m] += bytes - *problem.budgets[m];
    }
    return over;
}

MemoryPlan fit(const Problem& problem, const PlanOptions& options) {
    std::vector<std::uint64_t> reserve(problem.budgets.size(), 0);
    const Choices wanted = first_choices(problem);
    if (overfull(problem, wanted).empty()) {
        MemoryPlan plan = lay_out(problem, wanted, options);
        if (!add_excess(problem, plan, reserve)) return plan;
    }
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const std::optional<Choices> choices = assign(problem, reserve);
        if (!choices) break;
        MemoryPlan plan = lay_out(problem, *choices, options);
        if (!add_excess(problem, plan, reserve)) return plan;
    }
    const Choices best_effort = assign_overfull(problem);
    throw no_room(problem, best_effort, lay_out(problem, best_effort, options));
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
    const std::vector<Wish> wishes = resolve(program, all, platform, options, diagnostics);
    const Problem problem{program,
                          platform,
                          all,
                          wishes,
                          budgets(platform, options.memory.constraints, options.ignore_budgets),
                          overlaps(program, all),
                          equal_contents(program, all)};
    MemoryPlan result = fit(problem, options);
    result.lifetimes = std::move(lives);
    result.code = place_code(program, options.operators, diagnostics);
    return result;
}

}  // namespace ingot::memory
