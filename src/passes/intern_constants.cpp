// Gives operators that read equal constants the same one.
//
// Exact: type, shape, quantisation and bytes are equal.
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "passes/passes.h"
#include "support/hash.h"

namespace ingot::passes {
namespace {

bool equal(const ir::Tensor& a, const ir::Tensor& b) {
    return a.type == b.type && a.shape == b.shape && a.quantization == b.quantization &&
           a.data == b.data;
}

void run_pass(ir::Graph& graph, const Environment&, PassResult& result) {
    std::map<std::string, std::vector<ir::TensorIndex>> by_hash;
    std::vector<ir::TensorIndex> first(graph.tensors.size(), ir::kAbsent);
    const auto intern = [&](ir::TensorIndex i) {
        ir::TensorIndex& known = first[static_cast<std::size_t>(i)];
        if (known != ir::kAbsent) return known;
        std::vector<ir::TensorIndex>& same_hash =
            by_hash[support::sha256_hex(graph.tensor(i).data)];
        for (const ir::TensorIndex other : same_hash) {
            if (equal(graph.tensor(other), graph.tensor(i))) return known = other;
        }
        same_hash.push_back(i);
        return known = i;
    };
    for (ir::Operator& op : graph.operators) {
        for (ir::TensorIndex& i : op.inputs) {
            if (i == ir::kAbsent || !graph.tensor(i).constant) continue;
            const ir::TensorIndex shared = intern(i);
            if (shared == i) continue;
            ++result.changes;
            result.details.push_back(ir::describe(graph, op) + " reads " +
                                     ir::describe(graph, shared) + " for " +
                                     ir::describe(graph, i));
            i = shared;
        }
    }
}

}  // namespace

const Pass& intern_constants() {
    static const Pass pass = {
        "intern-constants",
        "Lets operators that read constants equal in type, shape, quantisation and bytes share "
        "one.",
        true, run_pass};
    return pass;
}

}  // namespace ingot::passes
