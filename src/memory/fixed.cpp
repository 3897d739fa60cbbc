#include "memory/fixed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace ingot::memory {
namespace {

using program::Program;
using support::ExitStatus;

using Offsets = std::map<std::size_t, std::size_t>;  // by item

// Calls `found` for all pairs that are live together and share bytes, until it is false.
template <typename Found>
void sharing(const std::vector<Item>& items, const Offsets& offsets, const Found& found) {
    std::vector<std::size_t> order;
    for (const auto& [item, offset] : offsets) order.push_back(item);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return items[a].lifetime.first < items[b].lifetime.first;
    });
    std::vector<std::size_t> live;
    for (std::size_t item : order) {
        live.erase(std::remove_if(live.begin(), live.end(),
                                  [&](std::size_t other) {
                                      return items[other].lifetime.last <
                                             items[item].lifetime.first;
                                  }),
                   live.end());
        const std::size_t begin = offsets.at(item);
        for (std::size_t other : live) {
            const std::size_t there = offsets.at(other);
            if (there >= begin + items[item].size || begin >= there + items[other].size) continue;
            if (!found(other, item)) return;
        }
        live.push_back(item);
    }
}

const std::string& id(const Program& program, const Item& item) {
    return program.tensor(item.root).id;
}

class OfflinePlan {
  public:
    OfflinePlan(const Program& program, const std::vector<Item>& items, const OfflineEntry& entry)
        : program_(program), items_(items), entry_(entry) {}

    // By item; when something is wrong, what.
    std::string read(Offsets& result) {
        const OfflineOffsets parsed = parse_offline_plan(entry_);
        if (!parsed.problem.empty()) return parsed.problem;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const std::string problem = add(i, parsed.offsets, result);
            if (!problem.empty()) return problem;
        }
        std::string problem;
        sharing(items_, result, [&](std::size_t a, std::size_t b) {
            problem =
                fmt::format("it lays tensors {} and {} over each other, which are live together",
                            id(program_, items_[a]), id(program_, items_[b]));
            return false;
        });
        return problem;
    }

  private:
    std::optional<std::size_t> planned(TensorId tensor,
                                       const std::vector<std::optional<std::size_t>>& all) const {
        const std::int32_t index = program_.tensor(tensor).model_index;
        if (index < 0 || static_cast<std::size_t>(index) >= all.size()) return std::nullopt;
        return all[static_cast<std::size_t>(index)];
    }

    std::string add(std::size_t i, const std::vector<std::optional<std::size_t>>& all,
                    Offsets& result) const {
        const Item& item = items_[i];
        if (item.role != Role::scratch) return {};
        TensorId tensor = item.root;
        std::optional<std::size_t> offset = planned(tensor, all);
        for (std::size_t m = 0; m < item.members.size() && !offset; ++m) {
            tensor = item.members[m];
            offset = planned(tensor, all);
        }
        if (!offset) return {};
        const std::size_t within = program_.root_offset(tensor);
        if (*offset < within || (*offset - within) % kTensorAlignment != 0) {
            return fmt::format(
                "tensor {} begins {} bytes within tensor {}, for which its offset {} "
                "leaves no place",
                program_.tensor(tensor).id, within, id(program_, item), *offset);
        }
        result[i] = *offset - within;
        return {};
    }

    const Program& program_;
    const std::vector<Item>& items_;
    const OfflineEntry& entry_;
};

// The first candidate whose memory holds `extent` bytes; else the first.
Candidate home(const Wish& wish, std::size_t extent,
               const std::vector<std::optional<std::uint64_t>>& budgets) {
    for (const Candidate& candidate : wish.candidates) {
        const std::optional<std::uint64_t>& budget = budgets[candidate.memory];
        if (!budget || *budget >= extent) return candidate;
    }
    return wish.candidates.front();
}

// Whether the kernels that meet the two permit it; both live in the memory that is planned.
bool may_share(const Problem& problem, std::size_t a, std::size_t b) {
    return std::any_of(problem.overlaps.begin(), problem.overlaps.end(),
                       [&](const ItemOverlap& overlap) {
                           if (std::minmax(overlap.input, overlap.output) != std::minmax(a, b))
                               return false;
                           const std::size_t input = *problem.wishes[overlap.input].offset;
                           const std::size_t output = *problem.wishes[overlap.output].offset;
                           return (input >= output && input - output >= overlap.below) ||
                                  (output >= input && output - input >= overlap.above);
                       });
}

// False when the entry can't be used; a warning says why.
bool read_offline_plan(const Program& program, const std::vector<Item>& items,
                       const OfflineEntry& entry, Offsets& offsets,
                       support::Diagnostics& diagnostics) {
    const std::string problem = OfflinePlan(program, items, entry).read(offsets);
    if (problem.empty()) return true;
    diagnostics.warning("", fmt::format("the model's {} is ignored: {}", kOfflineName, problem),
                        "tensors are placed as if the model had none");
    return false;
}

std::string describe(const Problem& problem, std::size_t item) {
    const Wish& wish = problem.wishes[item];
    return fmt::format("tensor {} ({} bytes at {} by {})", id(problem.program, problem.items[item]),
                       problem.items[item].size, *wish.offset, wish.offset_by);
}

}  // namespace

bool offline_plan_is_usable(const Program& program, const OfflineEntry& entry,
                            bool inputs_overwritable, support::Diagnostics& diagnostics) {
    Offsets offsets;
    return read_offline_plan(program, items(program, lifetimes(program, inputs_overwritable)),
                             entry, offsets, diagnostics);
}

void apply_offline_plan(const Program& program, const std::vector<Item>& items,
                        const OfflineEntry& entry,
                        const std::vector<std::optional<std::uint64_t>>& budgets,
                        std::vector<Wish>& wishes, support::Diagnostics& diagnostics) {
    Offsets offsets;
    if (!read_offline_plan(program, items, entry, offsets, diagnostics)) return;
    std::size_t extent = 0;
    for (const auto& [item, offset] : offsets) {
        extent = std::max(extent, offset + items[item].size);
    }
    for (const auto& [item, offset] : offsets) {
        Wish& wish = wishes[item];
        if (wish.offset) continue;  // a rule stands above the model
        wish.offset = offset;
        wish.offset_by = fmt::format("the model's {}", kOfflineName);
        wish.candidates = {home(wish, extent, budgets)};
        wish.decision.reason += ", offset by " + wish.offset_by;
    }
}

void check_fixed(const Problem& problem) {
    std::map<std::size_t, Offsets> by_memory;
    support::Diagnostics errors;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        if (!problem.wishes[i].offset) continue;
        const std::size_t memory = problem.wishes[i].candidates.front().memory;
        by_memory[memory][i] = *problem.wishes[i].offset;
        const std::uint64_t end = *problem.wishes[i].offset + problem.items[i].size;
        if (problem.budgets[memory] && end > *problem.budgets[memory]) {
            errors.error(
                "",
                fmt::format("{} ends above the {} bytes of {}", describe(problem, i),
                            *problem.budgets[memory], problem.platform.memories[memory].name),
                "fix it lower, or give it another memory by a rule");
        }
    }
    errors.throw_if_errors(ExitStatus::memory);
    for (const auto& entry : by_memory) {
        const std::string& memory = problem.platform.memories[entry.first].name;
        sharing(problem.items, entry.second, [&](std::size_t a, std::size_t b) {
            if (may_share(problem, a, b)) return true;
            errors.error("",
                         fmt::format("{} and {} share bytes of {} while both are live",
                                     describe(problem, a), describe(problem, b), memory),
                         "give one of them another offset or memory");
            return true;
        });
    }
    errors.throw_if_errors(ExitStatus::usage);
}

}  // namespace ingot::memory
