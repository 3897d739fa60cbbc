// `code_placement`: which memory an operator's code goes to.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "memory/rules.h"

namespace ingot::memory {
namespace {

using config::Rule;
using program::Step;

// The rule that decides for a step: the most specific, among equals the last; null for none.
const Rule* deciding(const std::vector<Rule>& rules, const Step& step) {
    const Rule* best = nullptr;
    for (const Rule& rule : rules) {
        if (!rule.code_placement || !matches(rule, step)) continue;
        if (best == nullptr || specificity(rule) >= specificity(*best)) best = &rule;
    }
    return best;
}

}  // namespace

CodePlan place_code(const program::Program& program, const std::vector<Rule>& rules,
                    support::Diagnostics& diagnostics) {
    CodePlan plan;
    for (const Step& step : program.steps) {
        const Rule* rule = deciding(rules, step);
        if (rule == nullptr) continue;
        const CodePlacement wanted = {*rule->code_placement, "rule " + rule->origin.to_text()};
        plan.operators[step.name] = wanted;
        for (const program::Call& call : step.calls) {
            const auto [placed, first] = plan.kernels.emplace(call.kernel->name, wanted);
            if (first || placed->second.memory == wanted.memory) continue;
            diagnostics.note(
                rule->origin.to_text(),
                fmt::format("kernel {}, which {} calls, stays in {}, where an operator before "
                            "it has put it",
                            call.kernel->name, step.name, placed->second.memory),
                "operators of one kernel share its code: give them the same code_placement");
        }
    }
    return plan;
}

}  // namespace ingot::memory
