// CUSTOM: an operator that the application implements. Declared in the configuration under
// `custom_operators`; it may have any number of operands of any type and shape.
#include "ops/custom.h"

#include <algorithm>

#include "ops/registry.h"

namespace ingot::ops {

namespace {

bool operands_have_sizes(const OperatorView& op) {
    const auto sized = [&op](ir::TensorIndex i) {
        return i == ir::kAbsent || ir::bits(op.graph().tensor(i).type) != 0;
    };
    const auto& inputs = op.op().inputs;
    const auto& outputs = op.op().outputs;
    return std::all_of(inputs.begin(), inputs.end(), sized) &&
           std::all_of(outputs.begin(), outputs.end(), sized);
}

void lower(Lowering& op) {
    program::CustomCall call;
    call.name = op.op().custom_name;
    call.function = custom_function(call.name);
    call.options = op.op().custom_options;
    for (std::size_t i = 0; i < op.op().inputs.size(); ++i) {
        if (!op.has_input(i)) {
            call.inputs.emplace_back();
        } else {
            // Nobody here knows whether the function writes to a variable; it may.
            call.inputs.emplace_back(op.input(i).variable ? op.update(i) : op.read(i));
        }
    }
    for (std::size_t i = 0; i < op.op().outputs.size(); ++i) call.outputs.emplace_back(op.write(i));
    op.step().custom = std::move(call);
    op.step().note = "the application implements it";
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string custom_function(std::string_view name) {
    std::string result(name);
    for (char& c : result) {
        if (!is_word(c)) c = '_';
    }
    if (result.empty() || (result.front() >= '0' && result.front() <= '9'))
        result.insert(0, 1, '_');
    return result;
}

std::string custom_declaration(std::string_view name) {
    const std::string start = "custom_operators: [{name: ";
    if (std::all_of(name.begin(), name.end(), is_word)) return start + std::string(name) + "}]";
    constexpr std::size_t kLongest = 200;
    std::string shown = ir::printable(name, kLongest);
    // What can't be shown as it is can't be copied from a message either.
    if (shown != name) return start + "...}] with its exact name in double quotes";
    for (std::size_t at = 0; (at = shown.find('\\', at)) != std::string::npos; at += 2) {
        shown.insert(at, 1, '\\');
    }
    return start + '"' + shown + "\"}]";
}

const OperatorDefinition definitions::custom = {
    .type = "CUSTOM",
    .types = "any",
    .min_inputs = 0,
    .max_inputs = kAnyNumber,
    .min_outputs = 0,
    .max_outputs = kAnyNumber,
    .constraints = {{"each operand has a type of fixed size", operands_have_sizes}},
    .lower = lower,
};

}  // namespace ingot::ops
