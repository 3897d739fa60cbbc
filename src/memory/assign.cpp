#include "memory/assign.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "memory/cheapest.h"
#include "memory/first_fit.h"
#include "memory/regions.h"

namespace ingot::memory {
namespace {

// Layouts that are tried to give scratch more room than the ledger counts before giving up.
constexpr int kAttempts = 24;
// Of these, before the search: it finds the next best choice, and doesn't only leave room.
constexpr int kAttemptsBeforeSearch = 4;

Freedom all_free(const Problem& problem) {
    Freedom freedom{first_choices(problem), {}};
    for (const Wish& wish : problem.wishes) freedom.free.push_back(wish.candidates.size() > 1);
    return freedom;
}

// State in the first memory of its list that has room beside what has no alternative; what has
// room nowhere stays free.
Freedom state_reserved(const Problem& problem) {
    Freedom freedom = all_free(problem);
    Ledger ledger(problem);
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        if (!freedom.free[i]) ledger.add(i, problem.wishes[i].candidates.front());
    }
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        if (!freedom.free[i] || problem.items[i].role != Role::persistent) continue;
        const std::vector<Candidate>& candidates = problem.wishes[i].candidates;
        for (std::size_t c = 0; c < candidates.size() && freedom.free[i]; ++c) {
            ledger.add(i, candidates[c]);
            if (ledger.over(candidates[c].memory) == 0) {
                freedom.base[i] = c;
                freedom.free[i] = false;
            } else {
                ledger.remove(i, candidates[c]);
            }
        }
    }
    return freedom;
}

class Assigner {
  public:
    Assigner(const Problem& problem, const PlanOptions& options)
        : problem_(problem), prices_(problem), packing_(problem, options) {}

    std::optional<Assigned> assign() {
        const Choices wanted = first_choices(problem_);
        if (within_budgets(wanted)) {
            Packed packed = packing_.pack(wanted);
            if (packed.over.empty()) return finished({wanted, std::move(packed.plan)}, 0);
        }
        const Freedom reserved = state_reserved(problem_);
        std::optional<Assigned> result = within(reserved);
        const Freedom free = all_free(problem_);
        if (!result && reserved.free != free.free) result = within(free);
        return result;
    }

  private:
    bool within_budgets(const Choices& choices) const {
        const Ledger ledger(problem_, choices);
        for (std::size_t m = 0; m < problem_.budgets.size(); ++m) {
            if (ledger.over(m) > 0) return false;
        }
        return true;
    }

    std::optional<Assigned> within(const Freedom& freedom) {
        std::vector<std::uint64_t> reserve(problem_.budgets.size(), 0);
        std::optional<Assigned> found = fit(freedom, reserve, kAttemptsBeforeSearch);
        Cheapest search(problem_, prices_, freedom, packing_);
        const double open = search.improve(found);
        if (!found) found = fit(freedom, reserve, kAttempts - kAttemptsBeforeSearch);
        if (!found) return std::nullopt;
        const double price = prices_.of(found->choices);
        return finished(std::move(*found), std::max(0.0, price - open));
    }

    // Fragmentation is known only once offsets are, so the next attempt must leave that much
    // free.
    std::optional<Assigned> fit(const Freedom& freedom, std::vector<std::uint64_t>& reserve,
                                int attempts) {
        for (; attempts > 0; --attempts) {
            const std::optional<Choices> choices = first_fit(problem_, prices_, freedom, reserve);
            if (!choices) return std::nullopt;
            Packed packed = packing_.pack(*choices);
            if (packed.over.empty()) return Assigned{*choices, std::move(packed.plan)};
            for (const auto& [memory, bytes] : packed.over) reserve[memory] += bytes;
        }
        return std::nullopt;
    }

    Assigned finished(Assigned assigned, double gap) const {
        assigned.plan.assignment = costs(problem_, assigned.choices);
        assigned.plan.assignment.gap = gap;
        return assigned;
    }

    const Problem& problem_;
    const Prices prices_;
    Packing packing_;
};

// Of data: what is only for code holds none unless a rule says so.
double fastest(const platforms::Platform& platform) {
    double result = std::numeric_limits<double>::max();
    for (const platforms::Memory& memory : platform.memories) {
        if (!memory.code_only) result = std::min(result, memory.read_cost);
    }
    return result;
}

}  // namespace

Prices::Prices(const Problem& problem) {
    constexpr double kUnits = 1024;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        std::vector<double> prices;
        double read_cost = 0;
        for (const Candidate& candidate : problem.wishes[i].candidates) {
            read_cost = std::max(read_cost, problem.platform.memories[candidate.memory].read_cost);
            prices.push_back(static_cast<double>(problem.items[i].touched) *
                             (std::round(read_cost * kUnits) / kUnits));
        }
        prices_.push_back(std::move(prices));
    }
}

double Prices::of(const Choices& choices) const {
    double sum = 0;
    for (std::size_t i = 0; i < choices.size(); ++i) sum += prices_[i][choices[i]];
    return sum;
}

double cost(const Problem& problem, std::size_t item, std::size_t memory) {
    return static_cast<double>(problem.items[item].touched) *
           problem.platform.memories[memory].read_cost;
}

Assignment costs(const Problem& problem, const Choices& choices) {
    Assignment result;
    const double least = fastest(problem.platform);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        result.cost += cost(problem, i, problem.wishes[i].candidates[choices[i]].memory);
        result.fastest += static_cast<double>(problem.items[i].touched) * least;
    }
    return result;
}

std::optional<Assigned> assign(const Problem& problem, const PlanOptions& options) {
    return Assigner(problem, options).assign();
}

Choices assign_overfull(const Problem& problem) {
    return forced_fit(problem, Prices(problem), all_free(problem));
}

}  // namespace ingot::memory
