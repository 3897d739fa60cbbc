#include "driver/ordered_plan.h"

#include <cstdint>
#include <utility>

namespace ingot::driver {
namespace {

using memory::MemoryPlan;
using support::ExitStatus;
using support::Failure;

// Sums of the same products in different orders differ by less.
constexpr double kRounding = 1e-9;

std::uint64_t written_bytes(const MemoryPlan& plan) {
    std::uint64_t sum = 0;
    for (const memory::Region& region : plan.regions) {
        if (region.role != program::Role::constant || region.staged()) sum += region.size;
    }
    return sum;
}

bool better(const MemoryPlan& a, const MemoryPlan& b) {
    const double cost_a = a.assignment.cost;
    const double cost_b = b.assignment.cost;
    if (cost_a < cost_b * (1 - kRounding)) return true;
    if (cost_b < cost_a * (1 - kRounding)) return false;
    return written_bytes(a) < written_bytes(b);
}

struct Attempt {
    std::optional<MemoryPlan> plan;
    std::optional<Failure> failure;  // when there is no plan
};

Attempt attempt(const program::Program& program, const platforms::Platform& platform,
                const memory::PlanOptions& options, support::Diagnostics& diagnostics) {
    try {
        return {memory::plan(program, platform, options, diagnostics), std::nullopt};
    } catch (const Failure& failure) {
        return {std::nullopt, failure};
    }
}

void try_order(const platforms::Platform& platform, const memory::PlanOptions& options,
               Attempt& best, OrderedPlan& result) {
    program::Program other = memory::reordered(result.program, result.order->steps);
    support::Diagnostics unheard;  // the first plan has said it
    Attempt second = attempt(other, platform, options, unheard);
    const bool takes = second.plan ? !best.plan || better(*second.plan, *best.plan)
                                   : !best.plan && second.failure->status() == ExitStatus::memory;
    if (!takes) return;
    best = std::move(second);
    result.program = std::move(other);
    result.reordered = true;
}

}  // namespace

OrderedPlan ordered_plan(const program::Program& program, const platforms::Platform& platform,
                         const memory::PlanOptions& options, support::Diagnostics& diagnostics) {
    OrderedPlan result;
    result.program = program;
    Attempt best = attempt(program, platform, options, diagnostics);
    // A fault in the configuration is one in every order.
    const bool usable = best.plan || best.failure->status() == ExitStatus::memory;
    if (usable && options.memory.planner == config::Planner::best && !options.offline) {
        result.order = memory::best_order(program, options.inputs_overwritable);
        if (result.order->improves()) try_order(platform, options, best, result);
    }
    if (best.failure) throw *best.failure;
    result.plan = *std::move(best.plan);
    return result;
}

}  // namespace ingot::driver
