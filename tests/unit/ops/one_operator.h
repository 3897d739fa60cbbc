// Graphs of one operator, run on the host.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "ops/operator.h"
#include "program/execute.h"

namespace ingot::test {

/// An activation, or a constant when `bytes` is not empty.
struct Operand {
    ir::DataType type = ir::DataType::int8;
    ir::Shape shape;
    float scale = 0.0F;  ///< 0: not quantised
    std::int32_t zero_point = 0;
    std::vector<std::uint8_t> bytes;
    bool variable = false;
};

/// Little-endian bytes of the elements.
template <typename Element>
std::vector<std::uint8_t> to_bytes(const std::vector<Element>& elements) {
    std::vector<std::uint8_t> bytes(elements.size() * sizeof(Element));
    if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
    return bytes;
}

/// A constant int32 vector or matrix.
inline Operand integers(ir::Shape shape, const std::vector<std::int32_t>& values) {
    return {ir::DataType::int32, std::move(shape), 0.0F, 0, to_bytes(values)};
}

/// An operator of its own graph: inputs first, then one output.
class OneOperator {
  public:
    OneOperator(std::string type, const std::vector<Operand>& inputs, const Operand& output,
                const ir::Attributes& options = {}) {
        ir::Operator op;
        op.type = std::move(type);
        op.has_options = true;
        op.attributes = options;
        for (const Operand& input : inputs) {
            op.inputs.push_back(add(input));
            if (input.bytes.empty() && !input.variable) graph.inputs.push_back(op.inputs.back());
        }
        op.outputs.push_back(add(output));
        graph.outputs = op.outputs;
        graph.operators.push_back(std::move(op));
    }

    /// Why it is refused; empty when it is supported.
    std::string reason() const {
        const auto reasons = ops::unsupported_reasons(graph, graph.operators.front(), {});
        return reasons.empty() ? "" : reasons.front();
    }

    /// The output's elements for the inputs' elements, which are not constants.
    template <typename Output, typename Input>
    std::vector<Output> run(const std::vector<std::vector<Input>>& inputs) const {
        const program::Program program = ops::lower(graph, {});
        program::Instance instance(program, program::separate_layout(program));
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const auto bytes = to_bytes(inputs[i]);
            const auto place = instance.bytes(program.inputs.at(i));
            if (place.size() != bytes.size()) throw std::logic_error("wrong number of elements");
            std::copy(bytes.begin(), bytes.end(), place.begin());
        }
        if (instance.run() != 0) throw std::logic_error("a kernel failed");
        const auto bytes = instance.bytes(program.outputs.at(0));
        std::vector<Output> output(bytes.size() / sizeof(Output));
        std::memcpy(output.data(), bytes.data(), bytes.size());
        return output;
    }

    ir::Graph graph;

  private:
    ir::TensorIndex add(const Operand& operand) {
        ir::Tensor tensor;
        tensor.type = operand.type;
        tensor.shape = operand.shape;
        if (operand.scale != 0.0F) {
            tensor.quantization.scales = {operand.scale};
            tensor.quantization.zero_points = {operand.zero_point};
        }
        tensor.constant = !operand.bytes.empty();
        tensor.variable = operand.variable;
        tensor.data = operand.bytes;
        graph.tensors.push_back(std::move(tensor));
        return static_cast<ir::TensorIndex>(graph.tensors.size() - 1);
    }
};

/// Integer options by name.
inline ir::Attributes options(const std::vector<std::pair<std::string, std::int64_t>>& values) {
    ir::Attributes attributes;
    for (const auto& [name, value] : values) attributes.set(name, value);
    return attributes;
}

}  // namespace ingot::test
