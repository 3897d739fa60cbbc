// What an operator's constraints see of the model, and what its lowering writes with.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"
#include "program/program.h"

namespace ingot::ops {

/// How products of scales are formed (docs/numerics.md): in double, as TensorFlow Lite Micro
/// since October 2026, or in float32, as before.
enum class ScaleArithmetic { f64, f32 };

struct LoweringOptions {
    std::string model_name;
    ScaleArithmetic scales = ScaleArithmetic::f64;
    std::set<std::string> custom_operators;  ///< names of those that the application implements
};

/// How far an output may lie over an input: the distances of program::Overlap, in bytes
/// (ops/overlap.h computes them).
struct Distances {
    std::int64_t below = 0;
    std::optional<std::int64_t> above;
};

/// Read access to one operator and its tensors.
class OperatorView {
  public:
    OperatorView(const ir::Graph& graph, const ir::Operator& op) : graph_(&graph), op_(&op) {}

    const ir::Graph& graph() const { return *graph_; }
    const ir::Operator& op() const { return *op_; }
    bool has_input(std::size_t i) const { return op_->input(i) != ir::kAbsent; }
    /// The tensor of an operand that is there.
    const ir::Tensor& input(std::size_t i) const { return graph_->tensor(op_->input(i)); }
    const ir::Tensor& output(std::size_t i = 0) const { return graph_->tensor(op_->output(i)); }
    std::int64_t option(std::string_view key, std::int64_t fallback = 0) const {
        return op_->attributes.get_int(key, fallback);
    }
    /// A constant integer operand (int32 or int64) as numbers.
    std::vector<std::int64_t> integers(std::size_t input) const;

  private:
    const ir::Graph* graph_;
    const ir::Operator* op_;
};

/// Writes one step of the program. Tensors are named by the operand they stand for.
class Lowering : public OperatorView {
  public:
    using TensorId = program::TensorId;

    Lowering(const ir::Graph& graph, const ir::Operator& op, const LoweringOptions& options,
             program::Program& program, program::Step& step,
             std::vector<std::optional<TensorId>>& map);

    const LoweringOptions& options() const { return options_; }

    /// The program's tensor of an operand: an activation, state, or a constant of the model.
    /// Registers the access. `touched` is the bytes moved an inference; 0 means its size.
    TensorId read(std::size_t input, std::uint64_t touched = 0);
    /// State that is read and written (a variable tensor).
    TensorId update(std::size_t input);
    TensorId write(std::size_t output = 0, std::uint64_t touched = 0);

    /// Says that a constant operand's bytes are folded into others and are not emitted.
    void fold(std::size_t input);

    /// Adds a constant `<operator>_<suffix>`: weight_sum, multiplier, shift, packed, table.
    TensorId constant(std::string_view suffix, const std::vector<std::int32_t>& values,
                      std::uint64_t touched = 0);
    TensorId constant(std::string_view suffix, const std::vector<std::int8_t>& values,
                      std::uint64_t touched = 0);

    /// Adds a work buffer `<operator>_<suffix>` of `bytes`.
    TensorId scratch(std::string_view suffix, std::size_t bytes);

    /// The output is the input's bytes under another shape: no code, the same place.
    void view(std::size_t output, std::size_t input);

    /// Adds a call; fields by name, arguments in the order of the kernel's prototype.
    void call(const program::KernelEntry& kernel, const program::FieldValues& fields,
              std::vector<std::optional<TensorId>> arguments);

    /// Permits the planner to lay an output over the tensor of these operands if it dies here; the
    /// kernels read it at these distances and in no other way. Does nothing where the tensor is a
    /// constant or state, where it is another operand too, and where C's rules of aliasing let a
    /// compiler move the kernel's stores before its loads: between two different types of which
    /// neither is a character.
    void permit(const std::vector<std::size_t>& operands, const Distances& distances,
                std::size_t output = 0);

    /// Says that the last call only copies a tensor into the bytes of another from `offset` on, or
    /// out of them (program::Part). Does nothing unless both are activations.
    void part(TensorId part, TensorId whole, std::int64_t offset);

    program::Step& step() { return step_; }

  private:
    friend program::Program lower(const ir::Graph&, const LoweringOptions&);
    /// The program's tensor of a tensor of the graph, added on first use.
    TensorId place(ir::TensorIndex tensor);
    TensorId add(std::string_view suffix, ir::DataType type, std::size_t count,
                 std::vector<std::uint8_t> bytes);
    void finish();  // adds the model constants that nobody folded, in input order

    const LoweringOptions& options_;
    program::Program& program_;
    program::Step& step_;
    std::vector<std::optional<TensorId>>& map_;  // by the graph's tensor index
    std::vector<bool> folded_;                   // by input
    std::vector<program::Access> made_;          // constants that the compiler added
    std::vector<std::uint64_t> touched_;         // by input
};

}  // namespace ingot::ops
