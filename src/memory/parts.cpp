#include "memory/parts.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "memory/items.h"
#include "memory/overlaps.h"
#include "memory/rules.h"
#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

using program::Part;
using program::Program;
using program::Step;
using program::Tensor;

// Tensors and steps looked at; then what is left stays copied.
constexpr std::size_t kMostWork = std::size_t{1} << 26;

/// The most bytes live in one step of the program as it stands.
std::size_t peak(const Program& program, bool inputs_overwritable) {
    const std::vector<Item> all = items(program, lifetimes(program, inputs_overwritable));
    const std::size_t last = program.steps.size() + 1;  // of moments: -1, the steps, the end
    std::vector<std::size_t> begun(last + 1, 0);
    std::vector<std::size_t> ended(last + 2, 0);
    for (const Item& item : all) {
        if (item.role != Role::scratch) continue;
        const std::size_t bytes = support::align_up(item.size, kTensorAlignment);
        begun[static_cast<std::size_t>(item.lifetime.first + 1)] += bytes;
        ended[static_cast<std::size_t>(item.lifetime.last + 2)] += bytes;
    }
    std::vector<std::vector<ItemOverlap>> by_step(program.steps.size());
    for (const ItemOverlap& overlap : overlaps(program, all)) {
        by_step[overlap.step].push_back(overlap);
    }
    std::size_t live = 0;
    std::size_t most = 0;
    for (std::size_t moment = 0; moment <= last; ++moment) {
        live = live + begun[moment] - ended[moment];
        const bool is_step = moment > 0 && moment < last;
        most = std::max(most, live - (is_step ? shared_bytes(by_step[moment - 1], all) : 0));
    }
    return most;
}

bool fixes_offsets(const PlanOptions& options) {
    const std::vector<config::Rule>& rules = options.memory.tensors;
    return options.offline || std::any_of(rules.begin(), rules.end(), [](const config::Rule& rule) {
               return rule.offset.has_value();
           });
}

class Placer {
  public:
    Placer(Program& program, const PlanOptions& options)
        : program_(program), options_(options), seen_(program.tensors.size(), false) {
        // Applications may ask of their tensors what an arena's beginning promises.
        for (const auto* list : {&program.inputs, &program.outputs}) {
            for (const TensorId id : *list) seen_[id] = true;
        }
        for (const Step& step : program.steps) {
            if (!step.custom) continue;
            for (const auto* list : {&step.custom->inputs, &step.custom->outputs}) {
                for (const auto& id : *list) {
                    if (id) seen_[*id] = true;
                }
            }
        }
    }

    std::size_t place() {
        peak_ = measure();
        std::vector<Choice> all = choices();
        // Mostly everything helps; else step by step, and of a step one by one.
        if (!try_all(all)) {
            for (std::size_t begin = 0; begin < all.size();) {
                std::size_t end = begin;
                while (end < all.size() && all[end].step == all[begin].step) ++end;
                const std::vector<Choice> of_step(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                                  all.begin() + static_cast<std::ptrdiff_t>(end));
                if (!try_all(of_step)) {
                    for (const Choice& choice : of_step) try_all({choice});
                }
                begin = end;
            }
        }
        for (Step& step : program_.steps) leave_out_copies(step);
        return placed_;
    }

  private:
    struct Choice {
        std::size_t step = 0;
        Part part;
    };

    std::vector<Choice> choices() const {
        std::vector<Choice> result;
        for (std::size_t s = 0; s < program_.steps.size(); ++s) {
            for (const Part& part : program_.steps[s].parts) {
                if (!named_apart(part)) result.push_back({s, part});
            }
        }
        return result;
    }

    bool named_apart(const Part& part) const {
        const auto names = [&](const config::Rule& rule, TensorId id) {
            return std::any_of(rule.ids.begin(), rule.ids.end(), [&](const std::string& pattern) {
                return glob_matches(pattern, program_.tensor(id).id);
            });
        };
        const std::vector<config::Rule>& rules = options_.memory.tensors;
        return std::any_of(rules.begin(), rules.end(), [&](const config::Rule& rule) {
            return names(rule, part.part) != names(rule, part.whole);
        });
    }

    std::size_t measure() {
        work_ += program_.tensors.size() + program_.steps.size();
        return peak(program_, options_.inputs_overwritable);
    }

    /// Places what can be placed of these; undoes it all when that raises the peak.
    bool try_all(const std::vector<Choice>& wanted) {
        if (work_ > kMostWork) return false;
        std::vector<TensorId> moved;
        for (const Choice& choice : wanted) {
            const TensorId root = program_.root(choice.part.part);
            if (move(choice.part)) moved.push_back(root);
        }
        const std::size_t now = moved.empty() ? peak_ : measure();
        if (now <= peak_) {
            peak_ = now;
            return true;
        }
        for (const TensorId root : moved) {
            program_.tensors[root].view_of.reset();
            program_.tensors[root].view_offset = 0;
        }
        return false;
    }

    /// Makes the root of a part a view of the whole, when it is as large as the part and what
    /// must be aligned is.
    bool move(const Part& part) {
        const TensorId root = program_.root(part.part);
        Tensor& tensor = program_.tensors[root];
        if (root == program_.root(part.whole) || tensor.size != program_.tensor(part.part).size) {
            return false;
        }
        tensor.view_of = part.whole;
        tensor.view_offset = part.offset;
        if (aligned(part.whole)) return true;
        tensor.view_of.reset();
        tensor.view_offset = 0;
        return false;
    }

    bool aligned(TensorId whole) {
        work_ += program_.tensors.size();
        const TensorId root = program_.root(whole);
        for (TensorId id = 0; id < program_.tensors.size(); ++id) {
            if (seen_[id] && program_.root(id) == root &&
                program_.root_offset(id) % kTensorAlignment != 0) {
                return false;
            }
        }
        return true;
    }

    bool in_place(const Part& part) const {
        return program_.root(part.part) == program_.root(part.whole) &&
               program_.root_offset(part.part) == program_.root_offset(part.whole) + part.offset;
    }

    void leave_out_copies(Step& step) {
        std::vector<Part> left;
        // From behind, so that the numbers of calls before stay.
        for (auto part = step.parts.rbegin(); part != step.parts.rend(); ++part) {
            if (!in_place(*part)) {
                left.push_back(*part);
                continue;
            }
            step.calls.erase(step.calls.begin() + static_cast<std::ptrdiff_t>(part->call));
            for (Part& later : left) --later.call;
            const std::size_t bytes = program_.tensor(part->part).size;
            for (auto* list : {&step.reads, &step.writes}) {
                for (program::Access& access : *list) {
                    if (access.tensor != part->part && access.tensor != part->whole) continue;
                    access.touched_bytes -= std::min<std::uint64_t>(access.touched_bytes, bytes);
                }
            }
            ++placed_;
        }
        if (left.size() == step.parts.size()) return;
        step.note = step.calls.empty() ? "in place, no code" : "partly in place";
        std::reverse(left.begin(), left.end());
        step.parts = std::move(left);
    }

    Program& program_;
    const PlanOptions& options_;
    std::vector<bool> seen_;  // by the application
    std::size_t peak_ = 0;
    std::size_t work_ = 0;
    std::size_t placed_ = 0;
};

}  // namespace

std::size_t place_parts(Program& program, const PlanOptions& options) {
    if (options.memory.planner == config::Planner::greedy || fixes_offsets(options)) return 0;
    return Placer(program, options).place();
}

}  // namespace ingot::memory
