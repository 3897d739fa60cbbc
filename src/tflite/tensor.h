// One tensor of a file → ir::Tensor, checked by itself.
#pragma once

#include <string>

#include "ir/graph.h"
#include "tflite/budget.h"
#include "tflite/schema_generated.h"

namespace ingot::tflite {

/// The most dimensions a tensor may have.
inline constexpr std::size_t kMaxRank = 8;

/// Reads a tensor of a verified file: type, shape (at most kMaxRank dimensions, element and
/// byte count below 2^31), quantisation and, when its buffer has bytes, its constant value of
/// exactly the shape's size. Two things depend on the graph and are left to read_subgraph:
/// whether a tensor without elements is constant, and whether `axis` of the quantisation fits.
/// `where` names the tensor in messages. Throws Failure(model).
ir::Tensor read_tensor(const format::Model& model, const format::Tensor& file,
                       const std::string& where, Budget& budget);

/// The bytes of buffer `index`; a null pointer when it has none. Throws Failure(model) when
/// there is no such buffer or its bytes are kept outside the FlatBuffer.
const flatbuffers::Vector<std::uint8_t>* read_buffer(const format::Model& model,
                                                     std::uint32_t index, const std::string& where);

/// A string of the file, empty when it is left out.
std::string read_string(const flatbuffers::String* text, Budget& budget);

}  // namespace ingot::tflite
