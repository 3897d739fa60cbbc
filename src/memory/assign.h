// What lives where when budgets bind: the choice that costs least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "memory/budget.h"
#include "memory/plan.h"

namespace ingot::memory {

/// What each candidate of each item counts for: bytes touched an inference times the read_cost of
/// the memory that the kernels access. Along an item's list a price never falls: a memory that is
/// named later counts at least as much as those before it, so that an order of preference holds
/// whatever the costs. Prices are multiples of 1/1024, so that sums are exact and in any order
/// the same up to 2^43.
class Prices {
  public:
    explicit Prices(const Problem& problem);

    double of(std::size_t item, std::size_t candidate) const { return prices_[item][candidate]; }
    double of(const Choices& choices) const;

  private:
    std::vector<std::vector<double>> prices_;
};

/// What an item costs in a memory, without regard to preference.
double cost(const Problem& problem, std::size_t item, std::size_t memory);

/// The cost of a choice, and of all in the memory for data that is read fastest; no gap.
Assignment costs(const Problem& problem, const Choices& choices);

/// A choice that keeps every budget, laid out.
struct Assigned {
    Choices choices;
    MemoryPlan plan;  ///< with its assignment
};

/// The choice of least price whose arenas, as they are packed, keep every budget. When all fit
/// in their first memories, that is it. Else persistent state is reserved first: in the first
/// memory of its list that has room beside what has no alternative. Then a heuristic (by price
/// saved for each byte, moves and swaps) finds a first choice, and branch and bound a better one
/// or the proof that there is none, within a budget of work that doesn't depend on time.
///
/// The search begins with everything in its first memory, where it costs least. In a memory that
/// is over its budget something must go: what is worth most there is decided next. No choice
/// below costs less than what it costs now and the cheapest bytes, in part (the relaxation of
/// the knapsack problem: Dantzig, Operations Research 5, 1957), that make the memory fit.
///
/// Nothing when no choice was found that fits.
std::optional<Assigned> assign(const Problem& problem, const PlanOptions& options);

/// What fits nowhere in the last memory of its list: what the table of a failure shows.
Choices assign_overfull(const Problem& problem);

}  // namespace ingot::memory
