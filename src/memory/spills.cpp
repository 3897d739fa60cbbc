#include "memory/spills.h"

#include "memory/assign.h"

namespace ingot::memory {
namespace {

// The budget that an item would break where it was wanted, everything else as it is.
void find_bound(const Problem& problem, std::size_t item, const Candidate& now, Ledger& ledger,
                Decision& decision) {
    const Candidate& wanted = problem.wishes[item].candidates.front();
    ledger.remove(item, now);
    ledger.add(item, wanted);
    const std::size_t memory = ledger.over(wanted.memory) > 0 ? wanted.memory : wanted.source;
    decision.over_by = ledger.over(memory);
    const std::size_t bound = decision.over_by > 0 ? memory : wanted.memory;
    decision.bound_by = problem.platform.memories[bound].name;
    ledger.remove(item, wanted);
    ledger.add(item, now);
}

}  // namespace

void explain(const Problem& problem, const Choices& choices, MemoryPlan& plan) {
    Ledger ledger(problem, choices);
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        const std::vector<Candidate>& candidates = problem.wishes[i].candidates;
        const Item& item = problem.items[i];
        Decision decision = plan.decisions[item.root];
        decision.touched_bytes = item.touched;
        decision.cost = cost(problem, i, candidates[choices[i]].memory);
        decision.wanted_cost = cost(problem, i, candidates.front().memory);
        if (choices[i] > 0) find_bound(problem, i, candidates[choices[i]], ledger, decision);
        for (TensorId member : item.members) plan.decisions[member] = decision;
    }
}

}  // namespace ingot::memory
