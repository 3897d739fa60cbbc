// Removes operators whose results nobody reads.
//
// Exact: only operators without state or other effects are removed.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "passes/passes.h"

namespace ingot::passes {
namespace {

bool has_effects(const ir::Graph& graph, const ir::Operator& op) {
    constexpr std::array<std::string_view, 7> kEffects = {
        "ASSIGN_VARIABLE", "CALL_ONCE", "CUSTOM", "IF", "READ_VARIABLE", "VAR_HANDLE", "WHILE"};
    if (std::find(kEffects.begin(), kEffects.end(), op.type) != kEffects.end()) return true;
    return std::any_of(op.inputs.begin(), op.inputs.end(), [&graph](ir::TensorIndex i) {
        return i != ir::kAbsent && graph.tensor(i).variable;
    });
}

void run_pass(ir::Graph& graph, const Environment&, PassResult& result) {
    std::vector<bool> read(graph.tensors.size(), false);
    for (const ir::TensorIndex i : graph.outputs) read[static_cast<std::size_t>(i)] = true;
    std::vector<ir::Operator> kept;
    for (auto op = graph.operators.rbegin(); op != graph.operators.rend(); ++op) {
        const bool used = std::any_of(op->outputs.begin(), op->outputs.end(), [&](auto i) {
            return i != ir::kAbsent && read[static_cast<std::size_t>(i)];
        });
        if (!used && !has_effects(graph, *op)) {
            ++result.changes;
            ++result.removed_operators;
            result.details.push_back("removed " + ir::describe(graph, *op));
            continue;
        }
        for (const ir::TensorIndex i : op->inputs) {
            if (i != ir::kAbsent) read[static_cast<std::size_t>(i)] = true;
        }
        kept.push_back(std::move(*op));
    }
    std::reverse(kept.begin(), kept.end());
    std::reverse(result.details.begin(), result.details.end());
    graph.operators = std::move(kept);
}

}  // namespace

const Pass& remove_dead_operators() {
    static const Pass pass = {
        "remove-dead-operators",
        "Removes operators without state or other effects whose results nobody reads.", true,
        run_pass};
    return pass;
}

}  // namespace ingot::passes
