// Searches for an order of the steps of one part of the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/order.h"
#include "memory/order_graph.h"

namespace ingot::memory {

/// What a search is for: an order whose peak is below `limit`; all below `enough` are as good.
struct OrderGoal {
    std::size_t limit = 0;   ///< bytes
    std::size_t enough = 0;  ///< bytes, below `limit`
};

struct OrderFound {
    std::vector<std::size_t> steps;  ///< empty: none below the limit was found
    std::size_t peak = 0;            ///< of `steps`, or `enough` when that is more
    std::size_t lower_bound = 0;     ///< bytes, proven; at most the limit
    std::uint64_t states = 0;        ///< sets of executed steps that were looked at
    std::size_t words = 0;           ///< of 64 steps that they took
};

/// Finds the least peak and proves it, unless it would keep more than `words` words of sets: then
/// it finds nothing but the lower bound.
OrderFound exact_order(const OrderGraph& graph, const OrderGoal& goal, std::size_t words);

/// Goes through the orders step by step and keeps the best beginnings, at most effort.beam of
/// them and no more than effort.trials allow. Its lower bound is `enough`.
OrderFound beam_order(const OrderGraph& graph, const OrderGoal& goal, const OrderEffort& effort);

/// An order whose peak is at most `peak`, as `steps` has it, and that is nearer to the model's:
/// from the first place on, each step moves up whose turn it is in the model, when the peak allows.
std::vector<std::size_t> nearer_order(const OrderGraph& graph, std::vector<std::size_t> steps,
                                      std::size_t peak, std::size_t trials);

}  // namespace ingot::memory
