// Lets a RESHAPE of a view read the view's operand, so that the one between can go.
//
// Exact: RESHAPE, SQUEEZE and EXPAND_DIMS only rename the same bytes. Only a RESHAPE may read
// another operand: the shapes of the others' operands are bound to their output's.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "passes/passes.h"

namespace ingot::passes {
namespace {

bool is_view(const ir::Operator& op) {
    constexpr std::array<std::string_view, 3> kViews = {"EXPAND_DIMS", "RESHAPE", "SQUEEZE"};
    return std::find(kViews.begin(), kViews.end(), op.type) != kViews.end();
}

void run_pass(ir::Graph& graph, const Environment&, PassResult& result) {
    // For each tensor that a view makes, the tensor at the start of its chain of views.
    std::vector<ir::TensorIndex> source(graph.tensors.size(), ir::kAbsent);
    for (ir::Operator& op : graph.operators) {
        if (!is_view(op) || op.inputs.empty() || op.outputs.empty()) continue;
        const ir::TensorIndex input = op.inputs[0];
        const ir::TensorIndex first = source[static_cast<std::size_t>(input)];
        if (first != ir::kAbsent && op.type == "RESHAPE") {
            op.inputs[0] = first;
            ++result.changes;
            result.details.push_back(ir::describe(graph, op) + " reads " +
                                     ir::describe(graph, first));
        }
        source[static_cast<std::size_t>(op.outputs[0])] =
            first == ir::kAbsent ? op.inputs[0] : first;
    }
}

}  // namespace

const Pass& collapse_views() {
    static const Pass pass = {
        "collapse-views",
        "Lets a RESHAPE of a RESHAPE, SQUEEZE or EXPAND_DIMS read that one's operand; the bytes "
        "are the same.",
        true, run_pass};
    return pass;
}

}  // namespace ingot::passes
