#include "memory/budget.h"

#include <algorithm>
#include <cstring>
#include <limits>

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

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

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
      raw_(problem.platform.memories.size(), 0),
      profiles_(problem.platform.memories.size()),
      overlaps_(problem.items.size()),
      memory_of_(problem.items.size(), kNowhere),
      shared_(problem.items.size(), 0) {
    for (std::size_t n = 0; n < problem.overlaps.size(); ++n) {
        overlaps_[problem.overlaps[n].input].push_back(n);
        overlaps_[problem.overlaps[n].output].push_back(n);
    }
}

Ledger::Ledger(const Problem& problem, const Choices& choices) : Ledger(problem) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
        add(i, problem.wishes[i].candidates[choices[i]]);
    }
}

std::uint64_t Ledger::Arena::rounded() const {
    if (bytes == 0) return 0;
    return align_up(static_cast<std::size_t>(bytes), alignments.rbegin()->first);
}

std::uint64_t Ledger::over(std::size_t memory, std::uint64_t reserve) const {
    const std::optional<std::uint64_t>& budget = problem_.budgets[memory];
    const std::uint64_t needed = used_[memory] + reserve;
    return budget && needed > *budget ? needed - *budget : 0;
}

// Counts or uncounts the bytes that an item shares with those that are in the same memory. An
// output's bytes lie over one input each, so it shares no more than it has.
void Ledger::share(std::size_t item, std::size_t memory, int sign) {
    for (std::size_t n : overlaps_[item]) {
        const ItemOverlap& overlap = problem_.overlaps[n];
        const std::size_t partner = overlap.input == item ? overlap.output : overlap.input;
        if (memory_of_[partner] != memory) continue;
        const std::uint64_t most = align_up(problem_.items[overlap.output].size, kTensorAlignment);
        std::uint64_t& shared = shared_[overlap.output];
        const std::uint64_t before = std::min(shared, most);
        const std::uint64_t bytes = overlap.shared(problem_.items);
        shared = sign > 0 ? shared + bytes : shared - bytes;
        const auto step = static_cast<std::int64_t>(overlap.step);
        profiles_[memory]->add({step, step}, static_cast<std::int64_t>(before) -
                                                 static_cast<std::int64_t>(std::min(shared, most)));
    }
}

void Ledger::count_scratch(Arena& arena, std::size_t item, std::size_t memory, int sign) {
    const Item& it = problem_.items[item];
    const auto size = static_cast<std::int64_t>(align_up(it.size, kTensorAlignment));
    auto& profile = profiles_[memory];
    if (!profile) {
        const auto steps = static_cast<std::int64_t>(problem_.program.steps.size());
        profile = std::make_unique<Profile>(-1, steps);
    }
    profile->add(it.lifetime, sign * size);
    share(item, memory, sign);
    memory_of_[item] = sign > 0 ? memory : kNowhere;
    if (const std::optional<std::size_t>& offset = problem_.wishes[item].offset) {
        const std::size_t end = *offset + static_cast<std::size_t>(size);
        std::size_t& users = arena.ends[end];
        users = sign > 0 ? users + 1 : users - 1;
        if (users == 0) arena.ends.erase(end);
    }
    const std::size_t end = arena.ends.empty() ? 0 : arena.ends.rbegin()->first;
    arena.bytes = std::max(static_cast<std::uint64_t>(profile->peak()), std::uint64_t{end});
}

void Ledger::count(Arena& arena, std::size_t item, const Candidate& where, int sign) {
    const Item& it = problem_.items[item];
    const std::uint64_t size = align_up(it.size, kTensorAlignment);
    if (it.role == Role::scratch) {
        count_scratch(arena, item, where.memory, sign);
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
    const std::uint64_t raw = arena.bytes;
    const std::uint64_t rounded = arena.rounded();
    count(arena, item, where, sign);
    // Modulo 2^64: right also when it shrinks.
    const std::uint64_t more_raw = arena.bytes - raw;
    const std::uint64_t more = arena.rounded() - rounded;
    raw_[where.memory] += more_raw;
    used_[where.memory] += more;
    if (where.source == where.memory) return;
    raw_[where.source] += more_raw;
    used_[where.source] += more;
}

Choices first_choices(const Problem& problem) {
    return Choices(problem.items.size(), 0);
}

}  // namespace ingot::memory
