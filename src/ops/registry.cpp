#include "ops/registry.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ingot::ops {

namespace {

/// A tensor that the reference reads or writes has elements, and Ingot's kernels count its bytes
/// in int32.
bool has_bounded_size(const ir::Tensor& tensor) {
    const auto bytes = ir::byte_count(tensor.type, tensor.shape);
    return bytes && *bytes >= 1 && *bytes <= std::numeric_limits<std::int32_t>::max();
}

/// What holds for every operator before its own constraints are asked; empty when it does.
std::string general_reason(const OperatorView& view, const OperatorDefinition& definition) {
    const ir::Operator& op = view.op();
    const auto wrong_number = [](std::size_t number, std::size_t least, std::size_t most) {
        return number < least || number > most;
    };
    if (wrong_number(op.inputs.size(), definition.min_inputs, definition.max_inputs)) {
        return "wrong number of inputs: " + std::to_string(op.inputs.size());
    }
    if (wrong_number(op.outputs.size(), definition.min_outputs, definition.max_outputs)) {
        return "wrong number of outputs: " + std::to_string(op.outputs.size());
    }
    for (std::size_t i = 0; i < definition.min_inputs; ++i) {
        if (!view.has_input(i)) return "input " + std::to_string(i) + " is missing";
    }
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        if (op.output(i) == ir::kAbsent) return "output " + std::to_string(i) + " is missing";
        if (!has_bounded_size(view.output(i))) {
            return "output " + std::to_string(i) + " is empty, of unknown size, or over 2 GiB";
        }
        if (view.output(i).constant || view.output(i).variable) {
            return "output " + std::to_string(i) + " is a constant or a variable";
        }
    }
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        if (view.has_input(i) && !view.input(i).constant && !has_bounded_size(view.input(i))) {
            return "input " + std::to_string(i) + " is empty, of unknown size, or over 2 GiB";
        }
    }
    if (definition.needs_options && !op.has_options) return "its options are missing";
    return {};
}

}  // namespace

std::span<const OperatorDefinition* const> registry() {
    static const auto sorted = [] {
#define INGOT_POINTER(NAME) &definitions::NAME,
        std::array all = {INGOT_OPERATORS(INGOT_POINTER)};
#undef INGOT_POINTER
        std::sort(all.begin(), all.end(),
                  [](const auto* a, const auto* b) { return a->type < b->type; });
        return all;
    }();
    return sorted;
}

const OperatorDefinition* find(std::string_view type) {
    const auto rows = registry();
    const auto row =
        std::lower_bound(rows.begin(), rows.end(), type,
                         [](const OperatorDefinition* definition, std::string_view wanted) {
                             return definition->type < wanted;
                         });
    return row != rows.end() && (*row)->type == type ? *row : nullptr;
}

std::vector<std::string> unsupported_reasons(const ir::Graph& graph, const ir::Operator& op,
                                             const LoweringOptions& options) {
    const OperatorDefinition* definition = find(op.type);
    if (definition == nullptr) return {"operator " + op.type + " is not supported"};
    if (op.type == "CUSTOM" && options.custom_operators.count(op.custom_name) == 0) {
        return {"custom operator " + ir::printable(op.custom_name) + " is not declared"};
    }
    const OperatorView view(graph, op);
    std::string reason = general_reason(view, *definition);
    if (!reason.empty()) return {std::move(reason)};
    for (const Constraint& constraint : definition->constraints) {
        // A later constraint may rely on an earlier one, so the first broken one ends it.
        if (!constraint.holds(view)) {
            return {"not supported: it is required that " + std::string(constraint.sentence)};
        }
    }
    return {};
}

}  // namespace ingot::ops
