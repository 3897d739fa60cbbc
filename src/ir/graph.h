// The graph as the importer delivers it and the passes change it. Knows no file format.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/types.h"

namespace ingot::ir {

using TensorIndex = std::int32_t;

/// An optional operand that is absent.
inline constexpr TensorIndex kAbsent = -1;

struct Tensor {
    std::string name;  ///< the model's name: any bytes, may be empty; never a file name
    DataType type = DataType::float32;
    Shape shape;
    Quantization quantization;
    bool constant = false;           ///< `data` holds its value
    bool variable = false;           ///< state that is kept from run to run
    bool unread = false;             ///< constant that no emitted code reads: not emitted
    std::vector<std::uint8_t> data;  ///< constants: little-endian bytes, exactly byte_count

    /// Bytes of the tensor; 0 for types without a fixed size (a `resource` is only a handle).
    /// The importer has checked that the shape's size is defined; else std::logic_error.
    std::size_t bytes() const;
    /// Elements of the tensor; checked as above.
    std::int64_t elements() const;
};

/// An operator's options: the file format's field names in snake case (`stride_w`,
/// `fused_activation_function`); enumerations as their number.
using Attribute = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                               std::vector<double>>;

class Attributes {
  public:
    void set(std::string key, Attribute value) { map_[std::move(key)] = std::move(value); }
    bool has(std::string_view key) const { return map_.find(key) != map_.end(); }

    /// The value, or `fallback` when there is none or it has another type.
    std::int64_t get_int(std::string_view key, std::int64_t fallback = 0) const;
    double get_float(std::string_view key, double fallback = 0.0) const;
    bool get_bool(std::string_view key, bool fallback = false) const;
    std::vector<std::int64_t> get_ints(std::string_view key) const;

    const std::map<std::string, Attribute, std::less<>>& map() const { return map_; }

  private:
    std::map<std::string, Attribute, std::less<>> map_;
};

struct Operator {
    std::string type;         ///< the builtin's name (`CONV_2D`), or `CUSTOM`
    std::string custom_name;  ///< for CUSTOM
    std::int32_t version = 1;
    std::int32_t index = 0;           ///< its number in the model, kept through all passes
    std::vector<TensorIndex> inputs;  ///< kAbsent for an absent optional operand
    std::vector<TensorIndex> outputs;
    bool has_options = false;  ///< the file has an options table for it
    Attributes attributes;
    std::vector<std::uint8_t> custom_options;

    /// The operand, or kAbsent when the list is shorter.
    TensorIndex input(std::size_t i) const { return i < inputs.size() ? inputs[i] : kAbsent; }
    TensorIndex output(std::size_t i) const { return i < outputs.size() ? outputs[i] : kAbsent; }
};

/// One subgraph: operators in execution order. Tensor indices are the model's own and are
/// kept by passes, which may append tensors and leave unused ones behind.
struct Graph {
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<Operator> operators;
    std::vector<TensorIndex> inputs;
    std::vector<TensorIndex> outputs;

    const Tensor& tensor(TensorIndex i) const { return tensors.at(static_cast<std::size_t>(i)); }
    Tensor& tensor(TensorIndex i) { return tensors.at(static_cast<std::size_t>(i)); }
};

struct SignatureTensor {
    std::string name;
    TensorIndex tensor = kAbsent;
};

struct Signature {
    std::string key;
    std::int32_t subgraph = 0;
    std::vector<SignatureTensor> inputs;
    std::vector<SignatureTensor> outputs;
};

struct Metadata {
    std::string name;
    std::vector<std::uint8_t> data;
};

/// A whole model file.
struct Model {
    std::string description;
    std::vector<Graph> subgraphs;
    std::vector<Signature> signatures;
    std::vector<Metadata> metadata;
    std::string sha256;           ///< of the file, 64 hexadecimal digits
    std::uint64_t file_size = 0;  ///< bytes
};

/// A name from a model made fit for messages: control and bidirectional formatting characters
/// and bytes that are no UTF-8 become `?`, a double quote becomes `'`, and what is longer than
/// `limit` characters ends in `...` within it.
std::string printable(std::string_view name, std::size_t limit = 80);

/// How messages name an operator: `operator 12 (CONV_2D "block_3/conv")`; the name is that of
/// its first output, with control characters replaced and shortened to 80 characters.
std::string describe(const Graph& graph, const Operator& op);

/// How messages name a tensor: `tensor 7 ("conv_2")`.
std::string describe(const Graph& graph, TensorIndex tensor);

/// The graph as text, one line an operator or tensor; what `--dump-after` prints.
std::string print(const Graph& graph);

/// Checks what every pass must keep: indices in range, every read tensor written before or
/// constant, variable or input; no tensor written twice; constants have their bytes.
/// Throws Failure(internal) naming `after` when it does not hold.
void verify(const Graph& graph, std::string_view after);

}  // namespace ingot::ir
