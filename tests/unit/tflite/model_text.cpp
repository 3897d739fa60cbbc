#include "unit/tflite/model_text.h"

#include <flatbuffers/idl.h>
#include <flatbuffers/util.h>

#include <stdexcept>

namespace ingot::tflite::testing {

nlohmann::json small_model() {
    return nlohmann::json::parse(R"({
      "version": 3,
      "description": "small",
      "operator_codes": [
        {"deprecated_builtin_code": 9, "builtin_code": "FULLY_CONNECTED", "version": 4},
        {"deprecated_builtin_code": 19}
      ],
      "buffers": [{}, {"data": [1,2,3,4,5,6,7,8,9,10,11,12]}, {"data": [1,0,0,0,2,0,0,0,3,0,0,0]}],
      "subgraphs": [{
        "name": "main",
        "inputs": [0],
        "outputs": [4],
        "tensors": [
          {"name": "in", "shape": [1, 4], "type": 9,
           "quantization": {"scale": [0.5], "zero_point": [-1]}},
          {"name": "weights", "shape": [3, 4], "type": 9, "buffer": 1,
           "quantization": {"scale": [0.5, 0.25, 0.125], "zero_point": [0, 0, 0]}},
          {"name": "bias", "shape": [3], "type": 2, "buffer": 2},
          {"name": "sum", "shape": [1, 3], "type": 9,
           "quantization": {"scale": [0.5], "zero_point": [3]}},
          {"name": "out", "shape": [1, 3], "type": 9,
           "quantization": {"scale": [0.5], "zero_point": [3]}}
        ],
        "operators": [
          {"opcode_index": 0, "inputs": [0, 1, 2], "outputs": [3],
           "builtin_options_type": "FullyConnectedOptions",
           "builtin_options": {"fused_activation_function": 1, "keep_num_dims": true}},
          {"opcode_index": 1, "inputs": [3], "outputs": [4]}
        ]
      }]
    })");
}

std::vector<std::uint8_t> to_file(const nlohmann::json& model) {
    const std::string folder = std::string(INGOT_PROJECT_DIR) + "/src/tflite/";
    std::string schema;
    if (!flatbuffers::LoadFile((folder + "schema.fbs").c_str(), false, &schema))
        throw std::runtime_error("cannot read schema.fbs");
    const char* include_folders[] = {folder.c_str(), nullptr};
    flatbuffers::Parser parser;
    if (!parser.Parse(schema.c_str(), include_folders, (folder + "schema.fbs").c_str()) ||
        !parser.Parse(model.dump().c_str()))
        throw std::runtime_error(parser.error_);
    const std::uint8_t* bytes = parser.builder_.GetBufferPointer();
    return {bytes, bytes + parser.builder_.GetSize()};
}

}  // namespace ingot::tflite::testing
