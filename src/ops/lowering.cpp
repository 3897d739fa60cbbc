#include "ops/lowering.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "ops/custom.h"
#include "ops/operator.h"
#include "support/diagnostics.h"

namespace ingot::ops {

namespace {

using program::Access;
using program::Role;

/// The most bytes of constants that lowering may add, against models that are small files but
/// declare enormous run-time weights.
constexpr std::size_t kMostAddedBytes = std::size_t{256} << 20;

/// Little-endian elements of `Integer` as numbers.
template <typename Integer>
std::vector<std::int64_t> numbers(const std::vector<std::uint8_t>& data) {
    std::vector<std::int64_t> result;
    for (std::size_t at = 0; at + sizeof(Integer) <= data.size(); at += sizeof(Integer)) {
        Integer value{};
        std::memcpy(&value, data.data() + at, sizeof value);
        result.push_back(value);
    }
    return result;
}

/// Notes that a step moves `bytes` of a tensor; a tensor is listed once.
void touch(std::vector<Access>& list, program::TensorId id, std::uint64_t bytes) {
    for (Access& access : list) {
        if (access.tensor == id) {
            access.touched_bytes += bytes;
            return;
        }
    }
    list.push_back({id, bytes});
}

Role role_of(const ir::Tensor& tensor) {
    if (tensor.constant) return Role::constant;
    return tensor.variable ? Role::persistent : Role::scratch;
}

/// Whether C code reads and writes the elements through a character type, which may be any
/// other's bytes.
bool is_character(ir::DataType type) {
    return ir::bits(type) == 8;
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

}  // namespace

std::vector<std::int64_t> OperatorView::integers(std::size_t i) const {
    if (!has_input(i) || !input(i).constant) return {};
    if (input(i).type == ir::DataType::int32) return numbers<std::int32_t>(input(i).data);
    if (input(i).type == ir::DataType::int64) return numbers<std::int64_t>(input(i).data);
    return {};
}

Lowering::Lowering(const ir::Graph& graph, const ir::Operator& op, const LoweringOptions& options,
                   program::Program& program, program::Step& step,
                   std::vector<std::optional<TensorId>>& map)
    : OperatorView(graph, op),
      options_(options),
      program_(program),
      step_(step),
      map_(map),
      folded_(op.inputs.size()),
      touched_(op.inputs.size()) {}

Lowering::TensorId Lowering::place(ir::TensorIndex index) {
    auto& id = map_.at(static_cast<std::size_t>(index));
    if (!id) {
        const ir::Tensor& source = graph().tensor(index);
        program::Tensor tensor;
        tensor.id = std::to_string(index);
        tensor.name = source.name;
        tensor.role = role_of(source);
        tensor.type = source.type;
        tensor.shape = source.shape;
        tensor.quantization = source.quantization;
        tensor.size = source.bytes();
        tensor.data = source.data;
        tensor.model_index = index;
        // State begins at real zero: int8 at its zero point, every other type at code 0.
        if (source.variable && source.type == ir::DataType::int8) {
            tensor.initial_byte = static_cast<std::uint8_t>(source.quantization.zero_point());
        }
        id = program_.tensors.size();
        program_.tensors.push_back(std::move(tensor));
    }
    return *id;
}

Lowering::TensorId Lowering::read(std::size_t i, std::uint64_t touched) {
    const ir::Tensor& tensor = input(i);
    const TensorId id = place(op().input(i));
    if (touched == 0) touched = tensor.bytes();
    if (tensor.constant) {
        if (tensor.unread) throw std::logic_error("a dropped constant is read: " + step_.name);
        touched_.at(i) += touched;
    } else {
        touch(step_.reads, id, touched);
    }
    return id;
}

Lowering::TensorId Lowering::update(std::size_t i) {
    const TensorId id = read(i);
    touch(step_.writes, id, input(i).bytes());
    return id;
}

Lowering::TensorId Lowering::write(std::size_t i, std::uint64_t touched) {
    const TensorId id = place(op().output(i));
    touch(step_.writes, id, touched == 0 ? output(i).bytes() : touched);
    return id;
}

void Lowering::fold(std::size_t i) {
    folded_.at(i) = true;
}

Lowering::TensorId Lowering::add(std::string_view suffix, ir::DataType type, std::size_t count,
                                 std::vector<std::uint8_t> bytes) {
    program::Tensor tensor;
    tensor.id = step_.name + "_" + std::string(suffix);
    tensor.role = bytes.empty() ? Role::scratch : Role::constant;
    tensor.type = type;
    tensor.shape = {static_cast<std::int32_t>(count)};
    tensor.size = bytes.empty() ? count : bytes.size();
    tensor.data = std::move(bytes);
    program_.tensors.push_back(std::move(tensor));
    return program_.tensors.size() - 1;
}

namespace {

template <typename Element>
std::vector<std::uint8_t> to_bytes(const std::vector<Element>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(Element));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

}  // namespace

Lowering::TensorId Lowering::constant(std::string_view suffix,
                                      const std::vector<std::int32_t>& values,
                                      std::uint64_t touched) {
    const TensorId id = add(suffix, ir::DataType::int32, values.size(), to_bytes(values));
    made_.push_back({id, touched == 0 ? values.size() * 4 : touched});
    return id;
}

Lowering::TensorId Lowering::constant(std::string_view suffix,
                                      const std::vector<std::int8_t>& values,
                                      std::uint64_t touched) {
    const TensorId id = add(suffix, ir::DataType::int8, values.size(), to_bytes(values));
    made_.push_back({id, touched == 0 ? values.size() : touched});
    return id;
}

Lowering::TensorId Lowering::scratch(std::string_view suffix, std::size_t bytes) {
    const TensorId id = add(suffix, ir::DataType::int8, bytes, {});
    step_.scratch.push_back(id);
    return id;
}

void Lowering::view(std::size_t out, std::size_t in) {
    const TensorId shown = place(op().input(in));
    const TensorId id = place(op().output(out));
    program::Tensor& view = program_.tensors[id];
    view.view_of = program_.root(shown);
    view.view_offset = program_.root_offset(shown);
    view.role = program_.tensors[shown].role;
    // No byte is moved, but the step says what it is about.
    if (!input(in).constant) touch(step_.reads, shown, 0);
    touch(step_.writes, id, 0);
}

void Lowering::call(const program::KernelEntry& entry, const program::FieldValues& fields,
                    std::vector<std::optional<TensorId>> arguments) {
    const program::Kernel& kernel = program::kernel(entry);
    if (arguments.size() != kernel.arguments.size()) {
        throw std::logic_error(step_.name + ": number of arguments of " + kernel.name);
    }
    step_.calls.push_back({&kernel, program::order_fields(kernel, fields), std::move(arguments)});
}

void Lowering::permit(const std::vector<std::size_t>& operands, const Distances& distances,
                      std::size_t output) {
    const ir::TensorIndex index = op().input(operands.at(0));
    const ir::Tensor& source = graph().tensor(index);
    const ir::Tensor& target = this->output(output);
    if (source.constant || source.variable) return;
    if (source.type != target.type && !is_character(source.type) && !is_character(target.type)) {
        return;
    }
    for (std::size_t i = 0; i < op().inputs.size(); ++i) {
        const bool listed = std::find(operands.begin(), operands.end(), i) != operands.end();
        if (op().input(i) == index && !listed) return;
    }
    step_.overlaps.push_back(
        {place(index), place(op().output(output)), distances.below, distances.above});
}

void Lowering::part(TensorId part, TensorId whole, std::int64_t offset) {
    for (const TensorId id : {part, whole}) {
        if (program_.tensor(id).role != Role::scratch) return;
    }
    step_.parts.push_back({part, whole, static_cast<std::size_t>(offset), step_.calls.size() - 1});
}

void Lowering::finish() {
    for (std::size_t i = 0; i < op().inputs.size(); ++i) {
        if (!has_input(i) || !input(i).constant || input(i).unread || folded_[i]) continue;
        if (input(i).data.empty()) continue;  // the shape of a scalar: nothing to emit
        touch(step_.constants, place(op().input(i)), touched_[i]);
    }
    std::stable_sort(made_.begin(), made_.end(), [&](const Access& a, const Access& b) {
        return program::constant_rank(program_.tensor(a.tensor).id, step_.name) <
               program::constant_rank(program_.tensor(b.tensor).id, step_.name);
    });
    step_.constants.insert(step_.constants.end(), made_.begin(), made_.end());
}

namespace {

std::string support_hint(const ir::Operator& op, const LoweringOptions& options) {
    const OperatorDefinition* definition = find(op.type);
    if (definition == nullptr) return "the command 'operators' lists what is supported";
    if (op.type != "CUSTOM") return "supported types: " + std::string(definition->types);
    if (options.custom_operators.count(op.custom_name) != 0) return {};
    return "when the application implements it, add to the configuration: " +
           custom_declaration(op.custom_name);
}

/// Throws when an operator is not supported, with every such operator named.
void check_operators(const ir::Graph& graph, const LoweringOptions& options) {
    std::vector<support::Diagnostic> errors;
    for (const ir::Operator& op : graph.operators) {
        for (const std::string& reason : unsupported_reasons(graph, op, options)) {
            errors.push_back({support::Severity::error, ir::describe(graph, op), reason,
                              support_hint(op, options)});
        }
    }
    if (!errors.empty()) throw support::Failure(support::ExitStatus::model, std::move(errors));
}

}  // namespace

program::Program lower(const ir::Graph& graph, const LoweringOptions& options) {
    check_operators(graph, options);
    program::Program program;
    program.name = options.model_name;
    std::vector<std::optional<program::TensorId>> map(graph.tensors.size());
    std::size_t added = 0;
    const ir::Operator none;
    program::Step edge;  // what the graph's inputs and outputs are placed with
    Lowering ends(graph, none, options, program, edge, map);
    for (const ir::TensorIndex index : graph.inputs) program.inputs.push_back(ends.place(index));
    for (const ir::Operator& op : graph.operators) {
        program::Step step;
        step.op_index = op.index;
        step.op_type = op.type;
        step.name = lower_case(op.type) + "_" + std::to_string(op.index);
        step.label = op.output(0) == ir::kAbsent ? "" : graph.tensor(op.output(0)).name;
        Lowering lowering(graph, op, options, program, step, map);
        find(op.type)->lower(lowering);
        lowering.finish();
        for (const Access& access : lowering.made_) added += program.tensor(access.tensor).size;
        if (added > kMostAddedBytes) {
            throw support::Failure(support::ExitStatus::memory, ir::describe(graph, op),
                                   "the constants of the operators need more than 256 MiB");
        }
        program.steps.push_back(std::move(step));
    }
    for (const ir::TensorIndex index : graph.outputs) program.outputs.push_back(ends.place(index));
    program::verify(program);
    return program;
}

}  // namespace ingot::ops
