#include "tflite/subgraph.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/diagnostics.h"
#include "tflite/builtins.h"
#include "tflite/options.h"
#include "tflite/tensor.h"

namespace ingot::tflite {
namespace {

using support::ExitStatus;
using support::Failure;

class SubgraphReader {
  public:
    SubgraphReader(const format::Model& model, std::size_t index, Budget& budget)
        : model_(model),
          file_(*model.subgraphs()->Get(static_cast<unsigned>(index))),
          index_(index),
          budget_(budget) {}

    ir::Graph read() {
        graph_.name = read_string(file_.name(), budget_);
        read_tensors();
        read_operators();
        graph_.inputs =
            read_indices(file_.inputs(), false, place(std::string("inputs of the graph")));
        graph_.outputs =
            read_indices(file_.outputs(), false, place(std::string("outputs of the graph")));
        check_inputs();
        check_writers();
        settle_empty_tensors();
        check_axes();
        check_order();
        return std::move(graph_);
    }

  private:
    void read_tensors() {
        if (file_.tensors() == nullptr) return;
        for (const format::Tensor* tensor : *file_.tensors()) {
            // A place holder with the name only, so that messages can name the tensor.
            ir::Tensor named;
            if (tensor->name() != nullptr)
                named.name.assign(tensor->name()->c_str(),
                                  std::min<std::size_t>(tensor->name()->size(), 400));
            graph_.tensors.push_back(std::move(named));
            const auto i = static_cast<ir::TensorIndex>(graph_.tensors.size() - 1);
            graph_.tensors.back() = read_tensor(model_, *tensor, place(i), budget_);
        }
    }

    void read_operators() {
        if (file_.operators() == nullptr) return;
        for (const format::Operator* op : *file_.operators()) {
            graph_.operators.push_back(
                read_operator(*op, static_cast<std::int32_t>(graph_.operators.size())));
        }
    }

    ir::Operator read_operator(const format::Operator& file, std::int32_t number) {
        budget_.charge(sizeof(ir::Operator));
        ir::Operator op;
        op.index = number;
        const format::BuiltinOperator builtin = read_code(file, op);
        op.outputs = read_indices(file.outputs(), false, place(op));
        const std::string where = place(op);
        op.inputs = read_indices(file.inputs(), true, where);
        if (op.outputs.empty() && !may_have_no_outputs(builtin)) fail(where, "it has no outputs");
        if (file.large_custom_options_size() != 0 || file.large_custom_options_offset() != 0)
            fail(where, "its custom options are stored outside the FlatBuffer");
        read_options(file, builtin, where, budget_, op);
        if (file.custom_options() != nullptr) {
            budget_.charge(file.custom_options()->size());
            op.custom_options.assign(file.custom_options()->data(),
                                     file.custom_options()->data() + file.custom_options()->size());
        }
        const std::vector<ir::TensorIndex> intermediates =
            read_indices(file.intermediates(), true, where);
        if (!intermediates.empty())
            op.attributes.set("intermediates", std::vector<std::int64_t>(intermediates.begin(),
                                                                         intermediates.end()));
        return op;
    }

    /// Fills in the operator's type, custom name and version.
    format::BuiltinOperator read_code(const format::Operator& file, ir::Operator& op) {
        const std::string where = place(fmt::format("operator {}", op.index));
        const auto* codes = model_.operator_codes();
        const std::uint32_t count = codes == nullptr ? 0 : codes->size();
        if (file.opcode_index() >= count)
            fail(where, fmt::format("it uses operator code {}, but the model has {}",
                                    file.opcode_index(), count));
        const format::OperatorCode& code = *codes->Get(file.opcode_index());
        // Files from before there were more than 127 operators have only the old byte.
        const std::int32_t old_number = code.deprecated_builtin_code();
        const auto new_number = static_cast<std::int32_t>(code.builtin_code());
        const std::int32_t number = std::min(old_number, new_number) < 0
                                        ? std::min(old_number, new_number)
                                        : std::max(old_number, new_number);
        const auto builtin = static_cast<format::BuiltinOperator>(number);
        if (number < 0 || number > static_cast<std::int32_t>(format::BuiltinOperator::MAX) ||
            builtin == format::BuiltinOperator::PLACEHOLDER_FOR_GREATER_OP_CODES)
            fail(where, fmt::format("builtin operator {} is unknown", number));
        op.type = format::EnumNameBuiltinOperator(builtin);
        op.version = code.version();
        if (builtin == format::BuiltinOperator::CUSTOM) {
            op.custom_name = read_string(code.custom_code(), budget_);
            if (op.custom_name.empty()) fail(where, "a custom operator without a name");
        }
        return builtin;
    }

    std::vector<ir::TensorIndex> read_indices(const flatbuffers::Vector<std::int32_t>* file,
                                              bool optional, const std::string& where) {
        std::vector<ir::TensorIndex> indices;
        if (file == nullptr) return indices;
        budget_.charge(sizeof(ir::TensorIndex) * std::uint64_t{file->size()});
        indices.reserve(file->size());
        for (const std::int32_t index : *file) {
            const bool absent = optional && index == ir::kAbsent;
            if (!absent && !in_range(index))
                fail(where, fmt::format("tensor index {} is out of range: there are {} tensors",
                                        index, graph_.tensors.size()));
            indices.push_back(index);
        }
        return indices;
    }

    void check_inputs() {
        is_input_.assign(graph_.tensors.size(), false);
        for (const ir::TensorIndex input : graph_.inputs) {
            if (graph_.tensor(input).constant)
                fail(place(input), "it is an input of the graph and constant");
            if (is_input_[at(input)]) fail(place(input), "it is an input of the graph twice");
            is_input_[at(input)] = true;
        }
    }

    void check_writers() {
        writer_.assign(graph_.tensors.size(), kNobody);
        for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
            const ir::Operator& op = graph_.operators[i];
            for (const ir::TensorIndex output : op.outputs) {
                if (graph_.tensor(output).constant)
                    fail(place(op), "it writes constant " + ir::describe(graph_, output));
                if (is_input_[at(output)])
                    fail(place(op),
                         "it writes " + ir::describe(graph_, output) + ", an input of the graph");
                if (writer_[at(output)] != kNobody)
                    fail(place(op), fmt::format("it writes {}, which operator {} writes already",
                                                ir::describe(graph_, output), writer_[at(output)]));
                writer_[at(output)] = i;
            }
        }
    }

    /// A tensor without elements needs no bytes: it is constant when nothing produces it.
    void settle_empty_tensors() {
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
            ir::Tensor& tensor = graph_.tensors[i];
            const bool produced = is_input_[i] || writer_[i] != kNobody || tensor.variable;
            if (!produced && ir::bits(tensor.type) != 0 && tensor.elements() == 0)
                tensor.constant = true;
        }
    }

    /// Checks that scales by channel fit the channels. What only custom operators read may hold
    /// anything: encoded weights carry the quantisation of what they decode to.
    void check_axes() {
        std::vector<bool> opaque(graph_.tensors.size());
        for (const ir::Operator& op : graph_.operators)
            if (op.type == "CUSTOM") mark(op.inputs, opaque, true);
        for (const ir::Operator& op : graph_.operators) {
            if (op.type != "CUSTOM") mark(op.inputs, opaque, false);
            mark(op.outputs, opaque, false);
        }
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i)
            check_axis(static_cast<ir::TensorIndex>(i), opaque[i]);
    }

    void check_axis(ir::TensorIndex index, bool opaque) {
        ir::Tensor& tensor = graph_.tensor(index);
        ir::Quantization& q = tensor.quantization;
        const bool in_range = q.axis >= 0 && at(q.axis) < tensor.shape.size();
        if (q.per_channel() && !opaque) {
            if (!in_range)
                fail(place(index),
                     fmt::format("quantized_dimension {} is out of range for shape {}", q.axis,
                                 ir::to_text(tensor.shape)));
            const std::int32_t channels = tensor.shape[at(q.axis)];
            if (static_cast<std::size_t>(channels) != q.scales.size())
                fail(
                    place(index),
                    fmt::format("it has {} quantisation scales, but dimension {} of shape {} is {}",
                                q.scales.size(), q.axis, ir::to_text(tensor.shape), channels));
        }
        if (!in_range) q.axis = 0;
    }

    static void mark(const std::vector<ir::TensorIndex>& indices, std::vector<bool>& marks,
                     bool value) {
        for (const ir::TensorIndex index : indices)
            if (index != ir::kAbsent) marks[at(index)] = value;
    }

    void check_order() {
        for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
            const ir::Operator& op = graph_.operators[i];
            for (const ir::TensorIndex input : op.inputs) {
                if (input == ir::kAbsent || readable_before(input, i)) continue;
                const std::string name = ir::describe(graph_, input);
                if (writer_[at(input)] != kNobody)
                    fail(place(op),
                         fmt::format("it reads {} before operator {} writes it: operators must be "
                                     "in execution order",
                                     name, writer_[at(input)]));
                fail(place(op), fmt::format("it reads {}, which nothing writes and which is not "
                                            "constant: its buffer is empty",
                                            name));
            }
        }
        for (const ir::TensorIndex output : graph_.outputs) {
            if (!readable_before(output, graph_.operators.size()))
                fail(place(output), "it is an output of the graph, but nothing writes it");
        }
    }

    /// Whether a tensor has a value when the operator at `position` begins.
    bool readable_before(ir::TensorIndex index, std::size_t position) const {
        const ir::Tensor& tensor = graph_.tensor(index);
        return tensor.constant || tensor.variable || is_input_[at(index)] ||
               (writer_[at(index)] != kNobody && writer_[at(index)] < position);
    }

    bool in_range(std::int32_t index) const {
        return index >= 0 && at(index) < graph_.tensors.size();
    }

    static std::size_t at(ir::TensorIndex index) { return static_cast<std::size_t>(index); }

    std::string place(const std::string& text) const {
        return in_subgraph(index_, model_.subgraphs()->size(), text);
    }
    std::string place(ir::TensorIndex tensor) const { return place(ir::describe(graph_, tensor)); }
    std::string place(const ir::Operator& op) const { return place(ir::describe(graph_, op)); }

    [[noreturn]] static void fail(const std::string& where, const std::string& message) {
        throw Failure(ExitStatus::model, where, message);
    }

    static constexpr std::size_t kNobody = ~std::size_t{0};

    const format::Model& model_;
    const format::SubGraph& file_;
    std::size_t index_;
    Budget& budget_;
    ir::Graph graph_;
    std::vector<bool> is_input_;       ///< by tensor
    std::vector<std::size_t> writer_;  ///< by tensor: position of the operator that writes it
};

/// The subgraphs that an operator calls, as its options give them.
std::vector<std::int64_t> callees(const ir::Operator& op) {
    std::vector<std::int64_t> result;
    for (const auto& [key, value] : op.attributes.map()) {
        if (key.find("subgraph") == std::string::npos) continue;
        if (const auto* index = std::get_if<std::int64_t>(&value)) result.push_back(*index);
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value))
            result.insert(result.end(), list->begin(), list->end());
    }
    return result;
}

}  // namespace

std::string in_subgraph(std::size_t subgraph, std::size_t subgraphs, const std::string& place) {
    return subgraphs > 1 ? fmt::format("subgraph {}: {}", subgraph, place) : place;
}

ir::Graph read_subgraph(const format::Model& model, std::size_t index, Budget& budget) {
    return SubgraphReader(model, index, budget).read();
}

void check_calls(const std::vector<ir::Graph>& subgraphs) {
    std::vector<std::vector<std::size_t>> callers(subgraphs.size());
    std::vector<std::size_t> open_calls(subgraphs.size());  // callees that are not done yet
    for (std::size_t i = 0; i < subgraphs.size(); ++i) {
        for (const ir::Operator& op : subgraphs[i].operators) {
            for (const std::int64_t callee : callees(op)) {
                if (callee < 0 || static_cast<std::size_t>(callee) >= subgraphs.size())
                    throw Failure(ExitStatus::model,
                                  in_subgraph(i, subgraphs.size(), describe(subgraphs[i], op)),
                                  fmt::format("it calls subgraph {}, but the model has {}", callee,
                                              subgraphs.size()));
                callers[static_cast<std::size_t>(callee)].push_back(i);
                ++open_calls[i];
            }
        }
    }
    // Strikes out subgraphs whose callees are all struck out; what is left calls itself.
    std::vector<std::size_t> done;
    for (std::size_t i = 0; i < subgraphs.size(); ++i)
        if (open_calls[i] == 0) done.push_back(i);
    for (std::size_t next = 0; next < done.size(); ++next)
        for (const std::size_t caller : callers[done[next]])
            if (--open_calls[caller] == 0) done.push_back(caller);
    const auto recursive = std::find_if(open_calls.begin(), open_calls.end(),
                                        [](std::size_t calls) { return calls != 0; });
    if (recursive != open_calls.end())
        throw Failure(ExitStatus::model, fmt::format("subgraph {}", recursive - open_calls.begin()),
                      "it calls itself, directly or through others: recursion is not supported");
}

}  // namespace ingot::tflite
