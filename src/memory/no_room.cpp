#include "memory/no_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "support/utf8.h"

namespace ingot::memory {
namespace {

constexpr std::size_t kRows = 12;         // tensors listed for one memory
constexpr std::size_t kLongestName = 60;  // characters of a model's name that are shown

class Table {
  public:
    Table(const Problem& problem, const Choices& choices, const MemoryPlan& plan)
        : problem_(problem), choices_(choices), plan_(plan) {}

    std::string text() {
        std::string text = "the program doesn't fit the memories (bytes)";
        text += fmt::format("\n  {:<12} {:>12} {:>12} {:>12}", "memory", "needed", "available",
                            "missing");
        for (std::size_t m = 0; m < problem_.budgets.size(); ++m) text += row(m);
        for (std::size_t m = 0; m < problem_.budgets.size(); ++m) {
            if (missing(m) > 0) text += details(m);
        }
        if (scratch_overflows()) text += peak();
        return text;
    }

    std::string hint() const {
        std::vector<std::string> help;
        if (const std::string other = roomiest(); !other.empty()) {
            help.push_back("a rule in memory.tensors that moves tensors to " + other);
        }
        help.push_back("a transform that is off, such as those that drop or share constants");
        for (const Region& region : plan_.regions) {
            if (region.role != Role::scratch || missing(index_of(region.memory)) == 0) continue;
            help.push_back(fmt::format(
                "no plan makes scratch in {} smaller than {} bytes, {} without overlap (outputs "
                "laid "
                "over dying inputs); it now needs {}",
                region.memory, region.overlap_lower_bound, region.lower_bound, region.size));
        }
        return fmt::format("what would help: {}", fmt::join(help, "; "));
    }

  private:
    std::size_t index_of(const std::string& memory) const {
        for (std::size_t m = 0; m < problem_.platform.memories.size(); ++m) {
            if (problem_.platform.memories[m].name == memory) return m;
        }
        return 0;
    }

    bool uses(const Region& region, std::size_t m) const {
        const std::string& name = problem_.platform.memories[m].name;
        return region.memory == name || region.source_memory == name;
    }

    std::uint64_t needed(std::size_t m) const {
        std::uint64_t sum = 0;
        for (const Region& region : plan_.regions) sum += uses(region, m) ? region.size : 0;
        return sum;
    }

    std::uint64_t missing(std::size_t m) const {
        const auto& budget = problem_.budgets[m];
        const std::uint64_t need = needed(m);
        return budget && need > *budget ? need - *budget : 0;
    }

    std::string row(std::size_t m) const {
        const auto& budget = problem_.budgets[m];
        const std::uint64_t lack = missing(m);
        return fmt::format("\n  {:<12} {:>12} {:>12} {:>12}", problem_.platform.memories[m].name,
                           needed(m), budget ? std::to_string(*budget) : "no limit",
                           lack > 0 ? std::to_string(lack) : "");
    }

    // Constants and state of a memory that is over its budget.
    std::string details(std::size_t m) const {
        std::string text;
        for (Role role : {Role::persistent, Role::constant}) {
            const std::vector<std::size_t> items = items_in(m, role);
            if (items.empty()) continue;
            text += fmt::format("\n  {} tensors in {}, largest first:", program::name(role),
                                problem_.platform.memories[m].name);
            text += largest(items);
        }
        return text;
    }

    std::vector<std::size_t> items_in(std::size_t m, Role role) const {
        std::vector<std::size_t> result;
        for (std::size_t i = 0; i < problem_.items.size(); ++i) {
            const Candidate& where = problem_.wishes[i].candidates[choices_[i]];
            if (problem_.items[i].role == role && (where.memory == m || where.source == m)) {
                result.push_back(i);
            }
        }
        return result;
    }

    bool scratch_overflows() const {
        return std::any_of(plan_.regions.begin(), plan_.regions.end(), [&](const Region& region) {
            return region.role == Role::scratch && missing(index_of(region.memory)) > 0;
        });
    }

    // The step where most scratch is live in all memories together, and what is alive there.
    std::string peak() const {
        const auto steps = static_cast<std::int64_t>(problem_.program.steps.size());
        Profile profile(-1, steps);
        for (const Item& item : problem_.items) {
            if (item.role != Role::scratch) continue;
            profile.add(item.lifetime, static_cast<std::int64_t>(item.size));
        }
        const std::int64_t step = profile.peak_step();
        std::vector<std::size_t> alive;
        for (std::size_t i = 0; i < problem_.items.size(); ++i) {
            const Item& item = problem_.items[i];
            if (item.role == Role::scratch && item.lifetime.overlaps({step, step})) {
                alive.push_back(i);
            }
        }
        return fmt::format("\n  the peak of scratch is at {}: {} bytes alive", where(step),
                           profile.peak()) +
               largest(std::move(alive));
    }

    std::string where(std::int64_t step) const {
        if (step < 0) return "the start (inputs)";
        if (step >= static_cast<std::int64_t>(problem_.program.steps.size())) {
            return "the end (outputs)";
        }
        const program::Step& s = problem_.program.steps[static_cast<std::size_t>(step)];
        std::string text = fmt::format("operator {} ({}", s.op_index, s.op_type);
        if (!s.label.empty())
            text += fmt::format(" \"{}\"", support::printable(s.label, kLongestName));
        return text + ")";
    }

    std::string largest(std::vector<std::size_t> items) const {
        std::stable_sort(items.begin(), items.end(), [&](std::size_t a, std::size_t b) {
            return problem_.items[a].size > problem_.items[b].size;
        });
        std::string text;
        for (std::size_t n = 0; n < items.size() && n < kRows; ++n) {
            const program::Tensor& tensor = problem_.program.tensor(problem_.items[items[n]].root);
            text += fmt::format("\n    {:<28} {:>12}  {:<8} {}", "tensor " + tensor.id,
                                problem_.items[items[n]].size, memory_of(items[n]),
                                support::printable(tensor.name, kLongestName));
            while (text.back() == ' ') text.pop_back();
        }
        if (items.size() > kRows) text += fmt::format("\n    and {} more", items.size() - kRows);
        return text;
    }

    const std::string& memory_of(std::size_t item) const {
        const Candidate& where = problem_.wishes[item].candidates[choices_[item]];
        return problem_.platform.memories[where.memory].name;
    }

    // A memory for data with room left, the one with most.
    bool constants_overflow() const {
        return std::any_of(plan_.regions.begin(), plan_.regions.end(), [&](const Region& region) {
            return region.role == Role::constant && missing(index_of(region.memory)) > 0;
        });
    }

    std::string roomiest() const {
        std::string result;
        std::uint64_t most = 0;
        for (std::size_t m = 0; m < problem_.budgets.size(); ++m) {
            const platforms::Memory& memory = problem_.platform.memories[m];
            const auto& budget = problem_.budgets[m];
            const std::uint64_t need = needed(m);
            if (memory.code_only || !budget || need >= *budget || *budget - need <= most) continue;
            if (!memory.writable && !constants_overflow()) continue;
            most = *budget - need;
            result = fmt::format("{} ({} bytes free{})", memory.name, most,
                                 memory.writable ? "" : ", constants only");
        }
        return result;
    }

    const Problem& problem_;
    const Choices& choices_;
    const MemoryPlan& plan_;
};

}  // namespace

support::Failure no_room(const Problem& problem, const Choices& overfull_choices,
                         const MemoryPlan& overfull_plan) {
    Table table(problem, overfull_choices, overfull_plan);
    return {support::ExitStatus::memory, {}, table.text(), table.hint()};
}

}  // namespace ingot::memory
