#include <string>
#include <vector>

#include "ir/graph.h"
#include "support/diagnostics.h"

namespace ingot::ir {
namespace {

class Verifier {
  public:
    Verifier(const Graph& graph, std::string_view after)
        : graph_(graph),
          after_(after),
          readable_(graph.tensors.size()),
          written_(graph.tensors.size()) {}

    void run() {
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) check_tensor(i);
        for (const TensorIndex input : graph_.inputs) check_input(input);
        for (const Operator& op : graph_.operators) check_operator(op);
        for (const TensorIndex output : graph_.outputs) {
            if (!in_range(output)) fail_graph("has an output that is out of range");
            if (!readable_[at(output)]) fail(output, "is a graph output that nothing writes");
        }
    }

  private:
    void check_tensor(std::size_t i) {
        const Tensor& tensor = graph_.tensors[i];
        const auto index = static_cast<TensorIndex>(i);
        const Quantization& q = tensor.quantization;
        if (!element_count(tensor.shape) ||
            (bits(tensor.type) != 0 && !byte_count(tensor.type, tensor.shape)))
            fail(index, "has no defined size");
        if (q.scales.size() != q.zero_points.size())
            fail(index, "has not as many zero points as scales");
        if (tensor.constant && tensor.data.size() != tensor.bytes())
            fail(index, "is constant but has not as many bytes as its shape says");
        readable_[i] = tensor.constant || tensor.variable;
    }

    void check_input(TensorIndex input) {
        if (!in_range(input)) fail_graph("has an input that is out of range");
        if (graph_.tensor(input).constant) fail(input, "is a graph input and constant");
        readable_[at(input)] = true;
        written_[at(input)] = true;
    }

    void check_operator(const Operator& op) {
        for (const TensorIndex input : op.inputs) {
            if (input == kAbsent) continue;
            if (!in_range(input)) fail(op, "reads a tensor out of range");
            if (!readable_[at(input)])
                fail(op, "reads " + describe(graph_, input) + " before it is written");
        }
        for (const TensorIndex output : op.outputs) {
            if (output == kAbsent) continue;
            if (!in_range(output)) fail(op, "writes a tensor out of range");
            if (graph_.tensor(output).constant)
                fail(op, "writes constant " + describe(graph_, output));
            if (written_[at(output)])
                fail(op, "writes " + describe(graph_, output) + ", which is written already");
            written_[at(output)] = true;
            readable_[at(output)] = true;
        }
    }

    bool in_range(TensorIndex index) const {
        return index >= 0 && at(index) < graph_.tensors.size();
    }

    static std::size_t at(TensorIndex index) { return static_cast<std::size_t>(index); }

    /// `place` is an operator or a tensor's index.
    template <typename Place>
    [[noreturn]] void fail(const Place& place, const std::string& what) const {
        fail_at(describe(graph_, place), what);
    }

    [[noreturn]] void fail_graph(const std::string& what) const { fail_at("graph", what); }

    [[noreturn]] void fail_at(const std::string& place, const std::string& what) const {
        throw support::Failure(support::ExitStatus::internal, "after " + std::string(after_),
                               place + " " + what);
    }

    const Graph& graph_;
    std::string_view after_;
    std::vector<bool> readable_;  ///< constant, variable, or written so far
    std::vector<bool> written_;   ///< graph inputs, and what operators wrote so far
};

}  // namespace

void verify(const Graph& graph, std::string_view after) {
    Verifier(graph, after).run();
}

}  // namespace ingot::ir
