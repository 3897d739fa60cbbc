// Models written as JSON, turned into the file format by FlatBuffers' own parser and our schema.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ingot::tflite::testing {

/// A sound model of one subgraph: int8 input [1,4] -> FULLY_CONNECTED with 3 rows of constant
/// weights (by channel) and bias -> RELU -> output [1,3].
/// Tensors: 0 input, 1 weights, 2 bias, 3 sum, 4 output; buffers 1 and 2 hold the constants.
nlohmann::json small_model();

/// The bytes of the model file. Throws std::runtime_error when the schema does not take it.
std::vector<std::uint8_t> to_file(const nlohmann::json& model);

}  // namespace ingot::tflite::testing
