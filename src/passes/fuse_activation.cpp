// Folds RELU and RELU6 into the operator whose result they clamp, so that its unclamped result
// needs no memory.
//
// Exact: with equal scales RELU multiplies by 1, which is 2^30 * 2^(1 - 31) and keeps every code,
// and RELU6 never multiplies. What is left of both is a clamp to the codes that a fused activation
// clamps to (0 and 6 in the same quantisation), and that is the last thing the operators
// below do. A clamp to all codes followed by one to some is one to these.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "passes/passes.h"

namespace ingot::passes {
namespace {

constexpr std::string_view kOption = "fused_activation_function";

/// The file format's number of the activation that an operator computes.
std::optional<std::int64_t> activation(const ir::Operator& op) {
    if (op.inputs.size() != 1 || op.outputs.size() != 1) return std::nullopt;
    if (op.type == "RELU") return 1;
    if (op.type == "RELU6") return 3;
    return std::nullopt;
}

/// Whether the operator ends by clamping to its fused activation's codes and has none yet.
bool can_clamp(const ir::Operator& op) {
    constexpr std::array<std::string_view, 8> kTypes = {"ADD",
                                                        "AVERAGE_POOL_2D",
                                                        "CONV_2D",
                                                        "DEPTHWISE_CONV_2D",
                                                        "FULLY_CONNECTED",
                                                        "MAX_POOL_2D",
                                                        "MUL",
                                                        "SUB"};
    return std::find(kTypes.begin(), kTypes.end(), op.type) != kTypes.end() && op.has_options &&
           op.outputs.size() == 1 && op.attributes.get_int(kOption, 0) == 0;
}

bool same_codes(const ir::Tensor& a, const ir::Tensor& b) {
    return a.type == ir::DataType::int8 && b.type == ir::DataType::int8 && a.shape == b.shape &&
           a.quantization.scales.size() == 1 && a.quantization.scales == b.quantization.scales &&
           a.quantization.zero_points == b.quantization.zero_points;
}

void run_pass(ir::Graph& graph, const Environment&, PassResult& result) {
    constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> uses(graph.tensors.size(), 0);
    std::vector<std::size_t> writer(graph.tensors.size(), kNobody);
    for (const ir::TensorIndex i : graph.outputs) ++uses[static_cast<std::size_t>(i)];
    for (const ir::Operator& op : graph.operators) {
        for (const ir::TensorIndex i : op.inputs) {
            if (i != ir::kAbsent) ++uses[static_cast<std::size_t>(i)];
        }
    }
    std::vector<ir::Operator> kept;
    for (ir::Operator& op : graph.operators) {
        const std::optional<std::int64_t> clamp = activation(op);
        const ir::TensorIndex input = op.input(0);
        const auto i = static_cast<std::size_t>(clamp && input != ir::kAbsent ? input : 0);
        if (clamp && input != ir::kAbsent && uses[i] == 1 && writer[i] != kNobody &&
            can_clamp(kept[writer[i]]) &&
            same_codes(graph.tensor(input), graph.tensor(op.outputs[0]))) {
            ir::Operator& before = kept[writer[i]];
            result.details.push_back(ir::describe(graph, before) + " clamps for " +
                                     ir::describe(graph, op));
            before.attributes.set(std::string(kOption), *clamp);
            before.outputs[0] = op.outputs[0];
            writer[static_cast<std::size_t>(op.outputs[0])] = writer[i];
            ++result.changes;
            ++result.removed_operators;
            continue;
        }
        for (const ir::TensorIndex output : op.outputs) {
            if (output != ir::kAbsent) writer[static_cast<std::size_t>(output)] = kept.size();
        }
        kept.push_back(std::move(op));
    }
    graph.operators = std::move(kept);
}

}  // namespace

const Pass& fuse_activation() {
    static const Pass pass = {
        "fuse-activation",
        "Folds RELU and RELU6 of equal scales and zero points into the operator before them; both "
        "clamp to the same codes.",
        true, run_pass};
    return pass;
}

}  // namespace ingot::passes
