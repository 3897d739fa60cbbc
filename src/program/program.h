// The lowered program: the contract between lowering and everything behind it. Planner,
// emitter, host executor and reports read this and nothing else of the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/types.h"
#include "program/kernel.h"

namespace ingot::program {

/// What a tensor is for, and so which kind of arena it lives in.
enum class Role : std::uint8_t { scratch, persistent, constant };

/// `scratch`, `persistent`, `constant`.
std::string_view name(Role role);

using TensorId = std::size_t;  ///< index into Program::tensors

struct Tensor {
    std::string id;    ///< the model's index as text, or `conv_2d_0_scratch`
    std::string name;  ///< the model's name; empty for tensors that the compiler added
    Role role = Role::scratch;
    ir::DataType type = ir::DataType::int8;
    ir::Shape shape;
    ir::Quantization quantization;
    std::size_t size = 0;             ///< bytes
    std::vector<std::uint8_t> data;   ///< constants: `size` bytes, little-endian
    std::uint8_t initial_byte = 0;    ///< persistent: every byte's value after init
    std::int32_t model_index = -1;    ///< the model's tensor index; -1 when the compiler added it
    std::optional<TensorId> view_of;  ///< shares place and lifetime with this tensor (its root)
    std::size_t view_offset = 0;      ///< bytes from the beginning of `view_of` to this one's
};

/// A tensor that a step reads or writes, and how much of it.
struct Access {
    TensorId tensor = 0;
    std::uint64_t touched_bytes = 0;  ///< bytes moved an inference, repeated reads included
};

/// One kernel call: `kernel(&descriptor, arguments…)`.
struct Call {
    const Kernel* kernel = nullptr;
    std::vector<FieldValue> descriptor;              ///< in the order of kernel->fields
    std::vector<std::optional<TensorId>> arguments;  ///< in the order of kernel->arguments
};

/// A call of a function that the application implements: `<p>_custom_<function>(ctx, &call)`.
struct CustomCall {
    std::string name;                              ///< the model's name of the operator
    std::string function;                          ///< that name as a C identifier
    std::vector<std::optional<TensorId>> inputs;   ///< in the model's order; absent: optional
    std::vector<std::optional<TensorId>> outputs;  ///< in the model's order
    std::vector<std::uint8_t> options;             ///< the operator's own bytes, as they are
};

/// A step's permission to lay an output over an input that nobody reads after it. Both distances
/// belong to the kernel and its shapes: with less, the kernel would overwrite what it has yet to
/// read. At least the sizes of the tensors apart they don't share bytes, and nothing is asked.
struct Overlap {
    TensorId input = 0;
    TensorId output = 0;
    /// Bytes from the output's beginning to the input's, at least, when the kernel runs forwards.
    std::int64_t below = 0;
    /// Bytes from the input's beginning to the output's, at least, when the kernel runs backwards;
    /// nothing for a kernel that can't.
    std::optional<std::int64_t> above;
};

/// A call that does nothing but copy a tensor into a run of bytes of another, or out of one: where
/// `part` lies there already, as a view of `whole`, the call can be left out.
struct Part {
    TensorId part = 0;
    TensorId whole = 0;
    std::size_t offset = 0;  ///< bytes from the beginning of `whole`; a multiple of the element
    std::size_t call = 0;    ///< index into Step::calls
};

/// A way of computing a step that was not taken.
struct Alternative {
    std::string kernel;
    std::int64_t more_constant_bytes = 0;  ///< than the choice; negative: it has fewer
    std::uint64_t more_operations = 0;     ///< additions and loads more an inference
    std::string reason;                    ///< why it lost
};

/// One operator of the model, lowered.
struct Step {
    std::int32_t op_index = 0;  ///< the operator's number in the model; what callbacks report
    std::string op_type;        ///< `CONV_2D`
    std::string name;           ///< `conv_2d_0`: the stem of files and functions
    std::string label;          ///< the model's name of the first output, for comments
    std::vector<Call> calls;    ///< in order; none for a view and a custom operator
    std::optional<CustomCall> custom;  ///< instead of calls
    std::vector<Access> reads;         ///< activations and state it reads
    std::vector<Access> writes;        ///< outputs and state it writes
    /// Constants that belong to it, in their order in the constant arena: the model's in input
    /// order, then weight_sum, multiplier, shift, packed. With or without a reader in the code.
    std::vector<Access> constants;
    std::vector<TensorId> scratch;          ///< work buffers, live during this step only
    std::vector<Overlap> overlaps;          ///< for each pair of input and output at most one
    std::vector<Part> parts;                ///< copies that a plan may do without
    bool has_init = true;                   ///< has an init function and init callbacks
    std::uint64_t macs = 0;                 ///< multiply-accumulates an inference
    std::vector<Alternative> alternatives;  ///< that lost
    std::string note;  ///< one line on the choice made, for plan and layer comment

    /// No code: outputs and operands are the same bytes, or parts of each other.
    bool is_view() const { return calls.empty() && !custom; }
};

struct Program {
    std::string name;  ///< of the model
    std::vector<Tensor> tensors;
    std::vector<Step> steps;
    std::vector<TensorId> inputs;  ///< in the model's order; may repeat
    std::vector<TensorId> outputs;

    const Tensor& tensor(TensorId id) const { return tensors.at(id); }
    /// The tensor whose place this one has: itself, or the end of its view_of chain.
    TensorId root(TensorId id) const;
    /// Bytes from the beginning of its root to its own.
    std::size_t root_offset(TensorId id) const;
};

/// Makes the kernels of a step run backwards, from the last element to the first: sets the field
/// `backwards` of their descriptors. Throws std::logic_error when no kernel has one.
void run_backwards(Step& step);

/// Whether the program can be executed here: not with a custom operator, whose code only the
/// application has.
bool runs_on_host(const Program& program);

/// The place of a constant that the compiler added among those of its step: weight_sum 0,
/// multiplier 1, shift 2, packed 3, every other one (and the model's own) 4.
std::size_t constant_rank(std::string_view id, std::string_view step_name);

/// The order of enumerators `<p>_tensor_*` and of `tensor_ptrs`: model ids ascending, then
/// operator by operator scratch, weight_sum, multiplier, shift, packed, others as added.
/// Contains the tensors that are emitted.
std::vector<TensorId> enumerator_order(const Program& program);

/// Checks the contract: ids in range and unique, sizes of constants, roots before views, every
/// read written before. Throws std::logic_error.
void verify(const Program& program);

}  // namespace ingot::program
