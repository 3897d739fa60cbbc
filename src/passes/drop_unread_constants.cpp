// Leaves out constants that no emitted code reads: shapes, axes, paddings and the like, whose
// values are compiled into descriptors.
//
// Exact: nothing on the target reads them.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "passes/passes.h"

namespace ingot::passes {
namespace {

void run_pass(ir::Graph& graph, const Environment& environment, PassResult& result) {
    std::vector<bool> listed(graph.tensors.size(), false);
    std::vector<bool> read(graph.tensors.size(), false);
    for (const ir::TensorIndex i : graph.outputs) read[static_cast<std::size_t>(i)] = true;
    for (const ir::Operator& op : graph.operators) {
        const std::vector<std::size_t> unread = environment.compile_time_inputs
                                                    ? environment.compile_time_inputs(op)
                                                    : std::vector<std::size_t>{};
        for (std::size_t operand = 0; operand < op.inputs.size(); ++operand) {
            if (op.inputs[operand] == ir::kAbsent) continue;
            const auto i = static_cast<std::size_t>(op.inputs[operand]);
            listed[i] = true;
            if (std::find(unread.begin(), unread.end(), operand) == unread.end()) read[i] = true;
        }
    }
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        ir::Tensor& tensor = graph.tensors[i];
        if (!tensor.constant || !listed[i] || read[i]) continue;
        tensor.unread = true;
        ++result.changes;
        result.removed_bytes += tensor.bytes();
        result.details.push_back("dropped " + ir::describe(graph, static_cast<ir::TensorIndex>(i)));
    }
}

}  // namespace

const Pass& drop_unread_constants() {
    static const Pass pass = {
        "drop-unread-constants",
        "Leaves out constants that no emitted code reads: shapes, axes and paddings, whose "
        "values are compiled in.",
        true, run_pass};
    return pass;
}

}  // namespace ingot::passes
