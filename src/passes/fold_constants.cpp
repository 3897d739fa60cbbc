// Replaces an operator whose operands are all constants by its result.
//
// Exact: the result is computed by the very kernel that would have run on the target.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "passes/passes.h"

namespace ingot::passes {
namespace {

// A result larger than this stays an operator: it would cost more flash than the code saves.
constexpr std::size_t kMaxFoldedBytes = std::size_t{1} << 20;

bool all_operands_constant(const ir::Graph& graph, const ir::Operator& op) {
    bool any = false;
    for (const ir::TensorIndex i : op.inputs) {
        if (i == ir::kAbsent) continue;
        if (!graph.tensor(i).constant) return false;
        any = true;
    }
    return any;
}

std::size_t output_bytes(const ir::Graph& graph, const ir::Operator& op) {
    std::size_t total = 0;
    for (const ir::TensorIndex i : op.outputs) {
        if (i != ir::kAbsent) total += graph.tensor(i).bytes();
    }
    return total;
}

bool fold(ir::Graph& graph, const ir::Operator& op, const Environment& environment,
          PassResult& result) {
    if (!environment.evaluate || !all_operands_constant(graph, op)) return false;
    if (output_bytes(graph, op) > kMaxFoldedBytes) return false;
    auto values = environment.evaluate(graph, op);
    if (!values) return false;
    result.details.push_back("folded " + ir::describe(graph, op));
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        ir::Tensor& output = graph.tensor(op.outputs[i]);
        output.constant = true;
        output.data = std::move((*values)[i]);
    }
    return true;
}

void run_pass(ir::Graph& graph, const Environment& environment, PassResult& result) {
    // Execution order: operands of a later operator may become constants on the way.
    std::vector<ir::Operator> kept;
    for (ir::Operator& op : graph.operators) {
        if (fold(graph, op, environment, result)) {
            ++result.changes;
            ++result.removed_operators;
        } else {
            kept.push_back(std::move(op));
        }
    }
    graph.operators = std::move(kept);
}

}  // namespace

const Pass& fold_constants() {
    static const Pass pass = {
        "fold-constants",
        "Computes operators whose operands are all constants, with the kernels that would have "
        "run on the target.",
        true, run_pass};
    return pass;
}

}  // namespace ingot::passes
