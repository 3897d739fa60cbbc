#include "memory/budget.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

using support::align_up;

// Orders constants by length and bytes, so that equal ones meet in a map.
struct ByContent {
    bool operator()(const std::vector<std::uint8_t>* a, const std::vector<std::uint8_t>* b) const {
        if (a->size() != b->size()) return a->size() < b->size();
        return !a->empty() && std::memcmp(a->data(), b->data(), a->size()) < 0;
    }
};

// The order in which items choose, as ascending keys.
using Key = std::function<std::tuple<int, double>(std::size_t item)>;

double benefit(const Item& item) {
    return static_cast<double>(item.touched) / static_cast<double>(item.size);
}

std::vector<std::size_t> ordered(const Problem& problem, const Key& key) {
    std::vector<std::tuple<int, double>> keys;
    keys.reserve(problem.items.size());
    for (std::size_t i = 0; i < problem.items.size(); ++i) keys.push_back(key(i));
    std::vector<std::size_t> order(problem.items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    return order;
}

std::vector<std::size_t> benefit_order(const Problem& problem) {
    return ordered(problem, [&](std::size_t i) {
        const Item& item = problem.items[i];
        if (item.role == Role::persistent) return std::make_tuple(0, 0.0);
        if (problem.wishes[i].candidates.size() == 1) return std::make_tuple(1, 0.0);
        return std::make_tuple(2, -benefit(item));
    });
}

std::vector<std::size_t> size_order(const Problem& problem, bool fewest_alternatives_first) {
    return ordered(problem, [&](std::size_t i) {
        const auto alternatives = static_cast<int>(problem.wishes[i].candidates.size());
        return std::make_tuple(fewest_alternatives_first ? alternatives : 0,
                               -static_cast<double>(problem.items[i].size));
    });
}

bool holds(const Problem& problem, const Ledger& ledger, std::size_t memory,
           std::uint64_t reserve) {
    const std::optional<std::uint64_t>& budget = problem.budgets[memory];
    return !budget || (reserve <= *budget && ledger.used(memory) <= *budget - reserve);
}

// Places items in the given order; `left_over` says what to do with one that fits nowhere: false
// ends the attempt.
std::optional<Choices> place(const Problem& problem, const std::vector<std::size_t>& order,
                             const std::vector<std::uint64_t>& reserve, bool force) {
    Ledger ledger(problem);
    Choices choices(problem.items.size(), 0);
    for (std::size_t item : order) {
        const std::vector<Candidate>& candidates = problem.wishes[item].candidates;
        std::size_t chosen = candidates.size();
        for (std::size_t c = 0; c < candidates.size() && chosen == candidates.size(); ++c) {
            ledger.add(item, candidates[c]);
            const bool fits =
                holds(problem, ledger, candidates[c].memory, reserve[candidates[c].memory]) &&
                holds(problem, ledger, candidates[c].source, reserve[candidates[c].source]);
            if (fits) {
                chosen = c;
            } else {
                ledger.remove(item, candidates[c]);
            }
        }
        if (chosen == candidates.size()) {
            if (!force) return std::nullopt;
            chosen = candidates.size() - 1;
            ledger.add(item, candidates[chosen]);
        }
        choices[item] = chosen;
    }
    return choices;
}

}  // namespace

std::optional<std::uint64_t> budget(const platforms::Memory& memory,
                                    const std::vector<config::MemoryConstraint>& constraints) {
    std::optional<std::uint64_t> result = memory.size;
    for (const config::MemoryConstraint& constraint : constraints) {
        if (constraint.name != memory.name) continue;
        result = std::min(result.value_or(constraint.max_size), constraint.max_size);
    }
    return result;
}

std::vector<std::optional<std::uint64_t>> budgets(
    const platforms::Platform& platform, const std::vector<config::MemoryConstraint>& constraints,
    bool ignore) {
    std::vector<std::optional<std::uint64_t>> result;
    for (const platforms::Memory& memory : platform.memories) {
        result.push_back(ignore ? std::nullopt : budget(memory, constraints));
    }
    return result;
}

std::vector<std::size_t> equal_contents(const program::Program& program,
                                        const std::vector<Item>& items) {
    std::vector<std::size_t> result(items.size());
    std::map<const std::vector<std::uint8_t>*, std::size_t, ByContent> first;
    for (std::size_t i = 0; i < items.size(); ++i) {
        result[i] = i;
        if (items[i].role != Role::constant) continue;
        result[i] = first.emplace(&program.tensor(items[i].root).data, i).first->second;
    }
    return result;
}

Ledger::Ledger(const Problem& problem)
    : problem_(problem),
      used_(problem.platform.memories.size(), 0),
      profiles_(problem.platform.memories.size()) {}

std::uint64_t Ledger::Arena::rounded() const {
    if (bytes == 0) return 0;
    return align_up(static_cast<std::size_t>(bytes), alignments.rbegin()->first);
}

void Ledger::count(Arena& arena, std::size_t item, const Candidate& where, int sign) {
    const Item& it = problem_.items[item];
    const std::uint64_t size = align_up(it.size, kTensorAlignment);
    if (it.role == Role::scratch) {
        auto& profile = profiles_[where.memory];
        if (!profile) {
            const auto steps = static_cast<std::int64_t>(problem_.program.steps.size());
            profile = std::make_unique<Profile>(-1, steps);
        }
        profile->add(it.lifetime, sign * static_cast<std::int64_t>(size));
        arena.bytes = static_cast<std::uint64_t>(profile->peak());
    } else if (it.role == Role::persistent) {
        arena.bytes = sign > 0 ? arena.bytes + size : arena.bytes - size;
    } else {
        std::size_t& sharers = arena.contents[problem_.content[item]];
        if (sign > 0 && sharers++ == 0) arena.bytes += size;
        if (sign < 0 && --sharers == 0) arena.bytes -= size;
    }
    std::size_t& users = arena.alignments[problem_.wishes[item].alignment];
    users = sign > 0 ? users + 1 : users - 1;
    if (users == 0) arena.alignments.erase(problem_.wishes[item].alignment);
}

void Ledger::change(std::size_t item, const Candidate& where, int sign) {
    Arena& arena = arenas_[{problem_.items[item].role, where.memory, where.source}];
    const std::uint64_t before = arena.rounded();
    count(arena, item, where, sign);
    const std::uint64_t after = arena.rounded();
    used_[where.memory] += after - before;  // modulo 2^64: right also when it shrinks
    if (where.source != where.memory) used_[where.source] += after - before;
}

Choices first_choices(const Problem& problem) {
    return Choices(problem.items.size(), 0);
}

std::vector<std::size_t> overfull(const Problem& problem, const Choices& choices) {
    Ledger ledger(problem);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        ledger.add(i, problem.wishes[i].candidates[choices[i]]);
    }
    std::vector<std::size_t> result;
    for (std::size_t m = 0; m < problem.budgets.size(); ++m) {
        if (!holds(problem, ledger, m, 0)) result.push_back(m);
    }
    return result;
}

std::optional<Choices> assign(const Problem& problem, const std::vector<std::uint64_t>& reserve) {
    std::optional<Choices> choices = place(problem, benefit_order(problem), reserve, false);
    if (!choices) choices = place(problem, size_order(problem, true), reserve, false);
    if (!choices) choices = place(problem, size_order(problem, false), reserve, false);
    return choices;
}

Choices assign_overfull(const Problem& problem) {
    const std::vector<std::uint64_t> nothing(problem.budgets.size(), 0);
    return *place(problem, benefit_order(problem), nothing, true);
}

}  // namespace ingot::memory
