#include "tflite/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/files.h"
#include "unit/tflite/model_text.h"

namespace ingot::tflite {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::small_model;
using testing::to_file;

ir::Model import_json(const json& model) {
    support::Diagnostics diagnostics;
    ir::Model result = import(to_file(model), diagnostics);
    EXPECT_THAT(diagnostics.list(), IsEmpty());
    for (const ir::Graph& graph : result.subgraphs) ir::verify(graph, "import");
    return result;
}

/// The message that refuses the model, with its place; empty when it is imported.
std::string refusal(const json& model) {
    support::Diagnostics diagnostics;
    try {
        import(to_file(model), diagnostics);
    } catch (const support::Failure& failure) {
        EXPECT_EQ(failure.status(), support::ExitStatus::model);
        return failure.what();
    }
    return "";
}

TEST(Import, ReadsASmallModel) {
    const std::vector<std::uint8_t> file = to_file(small_model());
    const ir::Model model = import_json(small_model());
    EXPECT_EQ(model.description, "small");
    EXPECT_EQ(model.file_size, file.size());
    EXPECT_EQ(model.sha256.size(), 64U);
    ASSERT_EQ(model.subgraphs.size(), 1U);
    EXPECT_EQ(ir::print(model.subgraphs[0]),
              "graph \"main\"\n"
              "  inputs (0)\n"
              "  outputs (4)\n"
              "  tensor 0 int8 1x4 scale 0.5 zero point -1 \"in\"\n"
              "  tensor 1 int8 3x4 3 scales on axis 0 constant \"weights\"\n"
              "  tensor 2 int32 3 constant \"bias\"\n"
              "  tensor 3 int8 1x3 scale 0.5 zero point 3 \"sum\"\n"
              "  tensor 4 int8 1x3 scale 0.5 zero point 3 \"out\"\n"
              "  operator 0 FULLY_CONNECTED (0, 1, 2) -> (3) asymmetric_quantize_inputs=false "
              "fused_activation_function=1 keep_num_dims=true quant_spec=[] "
              "quantized_bias_type=0 weights_format=0\n"
              "  operator 1 RELU (3) -> (4)\n");
    const ir::Graph& graph = model.subgraphs[0];
    EXPECT_THAT(graph.tensors[2].data, ElementsAre(1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0));
    EXPECT_EQ(graph.operators[0].version, 4);
    EXPECT_TRUE(graph.operators[0].has_options);
    EXPECT_FALSE(graph.operators[1].has_options);
    EXPECT_TRUE(graph.operators[1].attributes.map().empty());
}

TEST(Import, GivesOptionsTheFormatsDefaults) {
    json model = small_model();
    model["operator_codes"][0] = {{"builtin_code", "CONV_2D"}};
    json& op = model["subgraphs"][0]["operators"][0];
    op["builtin_options_type"] = "Conv2DOptions";
    op["builtin_options"] = {{"stride_w", 2}};
    const ir::Model result = import_json(model);
    const ir::Attributes& attributes = result.subgraphs[0].operators[0].attributes;
    EXPECT_EQ(attributes.get_int("stride_w", -1), 2);
    EXPECT_EQ(attributes.get_int("stride_h", -1), 0);
    EXPECT_EQ(attributes.get_int("dilation_w_factor", -1), 1);
    EXPECT_EQ(attributes.get_int("padding", -1), 0);
}

TEST(Import, ReadsEveryKindOfOption) {
    struct Case {
        const char* code;
        const char* table;
        json options;
        const char* text;
    };
    const Case cases[] = {
        {"SOFTMAX", "SoftmaxOptions", {{"beta", 0.5}}, " beta=0.5\n"},
        {"RESHAPE", "ReshapeOptions", {{"new_shape", {1, -1}}}, " new_shape=[1, -1]\n"},
        {"VAR_HANDLE",
         "VarHandleOptions",
         {{"shared_name", "v"}},
         " container=\"\" shared_name=\"v\"\n"},
        {"BUCKETIZE", "BucketizeOptions", {{"boundaries", {0.5, 2.0}}}, " boundaries=[0.5, 2]\n"},
        {"GELU", "GeluOptions", {{"approximate", true}}, " approximate=true\n"},
        {"RANDOM_UNIFORM", "RandomOptions", {{"seed", -5}}, " seed=-5 seed2=0\n"},
        {"MAXIMUM", "MaximumMinimumOptions", json::object(), "-> (3)\n"},
    };
    for (const Case& c : cases) {
        json model = small_model();
        model["operator_codes"][0] = {{"builtin_code", c.code}};
        json& op = model["subgraphs"][0]["operators"][0];
        op["builtin_options_type"] = c.table;
        op["builtin_options"] = c.options;
        const ir::Model result = import_json(model);
        EXPECT_TRUE(result.subgraphs[0].operators[0].has_options) << c.code;
        EXPECT_THAT(ir::print(result.subgraphs[0]), HasSubstr(c.text)) << c.code;
    }
}

TEST(Import, ReadsTheSecondUnionOfOptions) {
    json model = small_model();
    model["operator_codes"][0] = {{"builtin_code", "REDUCE_WINDOW"}};
    json& op = model["subgraphs"][0]["operators"][0];
    op.erase("builtin_options");
    op.erase("builtin_options_type");
    op["builtin_options_2_type"] = "ReduceWindowOptions";
    op["builtin_options_2"] = {{"reduce_function", 4}};
    EXPECT_EQ(import_json(model).subgraphs[0].operators[0].attributes.get_int("reduce_function"),
              4);
}

TEST(Import, TakesTheLargerOfTheTwoOperatorCodes) {
    json model = small_model();
    model["operator_codes"][1] = {{"deprecated_builtin_code", 127}, {"builtin_code", 150}};
    EXPECT_EQ(import_json(model).subgraphs[0].operators[1].type, "GELU");
    model["operator_codes"][1] = {{"deprecated_builtin_code", 28}};
    EXPECT_EQ(import_json(model).subgraphs[0].operators[1].type, "TANH");
}

TEST(Import, ReadsCustomOperators) {
    json model = small_model();
    model["operator_codes"][1] = {{"builtin_code", "CUSTOM"}, {"custom_code", "My\"Op\n"}};
    model["subgraphs"][0]["operators"][1]["custom_options"] = {7, 8};
    const ir::Model result = import_json(model);
    const ir::Operator& op = result.subgraphs[0].operators[1];
    EXPECT_EQ(op.type, "CUSTOM");
    EXPECT_EQ(op.custom_name, "My\"Op\n");
    EXPECT_THAT(op.custom_options, ElementsAre(7, 8));
    model["operator_codes"][1].erase("custom_code");
    EXPECT_THAT(refusal(model), HasSubstr("custom operator without a name"));
}

TEST(Import, LetsCustomOperatorsReadEncodedWeights) {
    json model = small_model();
    model["operator_codes"][0] = {{"builtin_code", "CUSTOM"}, {"custom_code", "DECODE"}};
    json& op = model["subgraphs"][0]["operators"][0];
    op.erase("builtin_options");
    op.erase("builtin_options_type");
    model["subgraphs"][0]["tensors"][1]["shape"] = {12};
    EXPECT_EQ(refusal(model), "");
}

TEST(Import, KeepsOptionalOperandsAndIntermediates) {
    json model = small_model();
    json& op = model["subgraphs"][0]["operators"][0];
    op["inputs"] = {0, 1, -1};
    op["intermediates"] = {3};
    const ir::Model result = import_json(model);
    EXPECT_EQ(result.subgraphs[0].operators[0].inputs[2], ir::kAbsent);
    EXPECT_THAT(result.subgraphs[0].operators[0].attributes.get_ints("intermediates"),
                ElementsAre(3));
}

TEST(Import, TakesVariablesAsReadable) {
    json model = small_model();
    json& tensor = model["subgraphs"][0]["tensors"][3];
    tensor["is_variable"] = true;
    json& operators = model["subgraphs"][0]["operators"];
    std::swap(operators[0], operators[1]);
    EXPECT_TRUE(import_json(model).subgraphs[0].tensors[3].variable);
    tensor["buffer"] = 2;
    EXPECT_THAT(refusal(model), HasSubstr("variable tensor with an initial value"));
}

TEST(Import, TakesTensorsWithoutElementsAsConstants) {
    json model = small_model();
    model["subgraphs"][0]["tensors"][2]["shape"] = {0};
    model["subgraphs"][0]["tensors"][2]["buffer"] = 0;
    const ir::Model result = import_json(model);
    EXPECT_TRUE(result.subgraphs[0].tensors[2].constant);
    EXPECT_TRUE(result.subgraphs[0].tensors[2].data.empty());
}

TEST(Import, IgnoresWhatTensorFlowLiteIgnores) {
    json model = small_model();
    // Options on an operator that has none, a range without scales, a dynamic signature.
    model["subgraphs"][0]["operators"][1]["builtin_options_type"] = "SoftmaxOptions";
    model["subgraphs"][0]["operators"][1]["builtin_options"] = json::object();
    model["subgraphs"][0]["tensors"][2]["quantization"] = {{"min", {0}}, {"max", {1}}};
    model["subgraphs"][0]["tensors"][0]["shape_signature"] = {-1, 4};
    const ir::Model result = import_json(model);
    EXPECT_FALSE(result.subgraphs[0].operators[1].has_options);
    EXPECT_TRUE(result.subgraphs[0].tensors[2].quantization.empty());
}

TEST(Import, RefusesTheOptionsOfAnotherOperator) {
    json model = small_model();
    json& op = model["subgraphs"][0]["operators"][0];
    op["builtin_options_type"] = "SVDFOptions";
    op["builtin_options"] = json::object();
    EXPECT_THAT(refusal(model), HasSubstr("its options are those of another operator: SVDF"));
}

struct Damage {
    const char* at;     ///< JSON pointer into small_model
    const char* value;  ///< what stands there instead
    const char* message;
};

class ImportRefuses : public ::testing::TestWithParam<Damage> {};

TEST_P(ImportRefuses, SayingWhy) {
    json model = small_model();
    model[json::json_pointer(GetParam().at)] = json::parse(GetParam().value);
    EXPECT_THAT(refusal(model), HasSubstr(GetParam().message));
}

#define TENSOR "/subgraphs/0/tensors/"
#define OPERATOR "/subgraphs/0/operators/"

const Damage kDamages[] = {
    {"/version", "2", "error: the model has format version 2; only version 3 is supported"},
    {"/subgraphs", "[]", "the model has no subgraph"},
    {"/operator_codes", "[]", "operator 0: it uses operator code 0, but the model has 0"},
    {"/operator_codes/1/deprecated_builtin_code", "-5", "builtin operator -5 is unknown"},
    {"/operator_codes/1/builtin_code", "210", "operator 1: builtin operator 210 is unknown"},
    {"/operator_codes/1/builtin_code", "127", "builtin operator 127 is unknown"},
    {TENSOR "3/type", "18", "tensor 3 (\"sum\"): element type 18 is not supported"},
    {TENSOR "3/type", "-1", "element type -1 is not supported"},
    {TENSOR "3/type", "5", "element type string is not supported"},
    {TENSOR "3/type", "14", "element type variant is not supported"},
    {TENSOR "3/shape", "[1, -3]", "tensor 3 (\"sum\"): dimension 1 is -3"},
    {TENSOR "3/shape", "[-1, 3]", "the size of dimension 0 is not fixed (-1)\nhint:"},
    {TENSOR "3/shape", "[1,1,1,1,1,1,1,1,3]", "it has 9 dimensions; at most 8"},
    {TENSOR "3/shape", "[65536, 32768]", "65536x32768 int8 elements is too large"},
    {TENSOR "3/shape", "[2147483647, 2147483647, 2147483647]", "is too large"},
    {TENSOR "1/buffer", "3", "tensor 1 (\"weights\"): it uses buffer 3, but the model has 3"},
    {TENSOR "1/shape", "[3, 5]", "buffer 1 has 12 bytes, but int8 of shape 3x5 takes 15"},
    {TENSOR "1/shape", "[3, 3]", "buffer 1 has 12 bytes, but int8 of shape 3x3 takes 9"},
    {TENSOR "1/sparsity", "{}", "sparse tensors are not supported"},
    {TENSOR "1/external_buffer", "1", "its data is in an external file"},
    {"/buffers/1/offset", "4096", "buffer 1 is stored outside the FlatBuffer"},
    {"/buffers/1/data", "[]", "reads tensor 1 (\"weights\"), which nothing writes"},
    {TENSOR "3/quantization/scale", "[0]", "quantisation scale 0 is 0; it must be finite"},
    {TENSOR "3/quantization/scale", "[-0.5]", "quantisation scale 0 is -0.5"},
    {TENSOR "1/quantization/scale", "[1, 2]", "it has 2 quantisation scales but 3 zero points"},
    {TENSOR "1/quantization/zero_point", "[]", "it has 3 quantisation scales but 0 zero points"},
    {TENSOR "3/quantization/zero_point", "[128]", "zero point 128 is outside the range of int8"},
    {TENSOR "3/quantization/zero_point", "[-129]", "zero point -129 is outside"},
    {TENSOR "3/quantization/zero_point", "[4294967296]", "zero point 4294967296 is outside"},
    {TENSOR "1/quantization/quantized_dimension", "1",
     "it has 3 quantisation scales, but dimension 1 of shape 3x4 is 4"},
    {TENSOR "1/quantization/quantized_dimension", "2", "quantized_dimension 2 is out of range"},
    {TENSOR "1/quantization/quantized_dimension", "-1", "quantized_dimension -1 is out of range"},
    {TENSOR "1/quantization/details_type", "2", "quantisation of kind 2 is not supported"},
    {"/subgraphs/0/inputs", "[0, 0]", "it is an input of the graph twice"},
    {"/subgraphs/0/inputs", "[5]", "inputs of the graph: tensor index 5 is out of range"},
    {"/subgraphs/0/inputs", "[0, 1]", "it is an input of the graph and constant"},
    {"/subgraphs/0/outputs", "[-1]", "outputs of the graph: tensor index -1 is out of range"},
    {"/subgraphs/0/operators", "[]", "it is an output of the graph, but nothing writes it"},
    {OPERATOR "0/opcode_index", "2", "it uses operator code 2, but the model has 2"},
    {OPERATOR "0/inputs", "[0, 1, 9]",
     "operator 0 (FULLY_CONNECTED \"sum\"): tensor index 9 is out of range: there are 5 tensors"},
    {OPERATOR "0/inputs", "[0, 1, -2]", "tensor index -2 is out of range"},
    {OPERATOR "0/outputs", "[-1]", "tensor index -1 is out of range"},
    {OPERATOR "0/outputs", "[]", "it has no outputs"},
    {OPERATOR "0/outputs", "[0]", "it writes tensor 0 (\"in\"), an input of the graph"},
    {OPERATOR "0/outputs", "[2]", "it writes constant tensor 2 (\"bias\")"},
    {OPERATOR "0/outputs", "[4]", "it writes tensor 4 (\"out\"), which operator 0 writes already"},
    {OPERATOR "0/outputs", "[3, 3]", "which operator 0 writes already"},
    {OPERATOR "0/inputs", "[3, 1, 2]", "before operator 0 writes it"},
    {OPERATOR "0/inputs", "[4, 1, 2]", "reads tensor 4 (\"out\") before operator 1 writes it"},
    {OPERATOR "0/intermediates", "[5]", "tensor index 5 is out of range"},
    {OPERATOR "0/large_custom_options_size", "9", "stored outside the FlatBuffer"},
};

INSTANTIATE_TEST_SUITE_P(Damages, ImportRefuses, ::testing::ValuesIn(kDamages));

/// A second subgraph that ADDs nothing: its output is its input.
json with_second_subgraph() {
    json model = small_model();
    model["subgraphs"].push_back(json::parse(R"({
      "name": "then", "inputs": [0], "outputs": [0],
      "tensors": [{"name": "x", "shape": [1, 3], "type": 9}]})"));
    model["operator_codes"].push_back({{"builtin_code", "IF"}});
    model["subgraphs"][0]["tensors"].push_back(
        json::parse(R"({"name": "after", "shape": [1, 3], "type": 9})"));
    model["subgraphs"][0]["operators"].push_back(json::parse(R"({
      "opcode_index": 2, "inputs": [0, 4], "outputs": [5], "builtin_options_type": "IfOptions",
      "builtin_options": {"then_subgraph_index": 1, "else_subgraph_index": 1}})"));
    return model;
}

TEST(ImportSubgraphs, ReadsAllOfThem) {
    const ir::Model model = import_json(with_second_subgraph());
    ASSERT_EQ(model.subgraphs.size(), 2U);
    EXPECT_EQ(model.subgraphs[1].name, "then");
}

TEST(ImportSubgraphs, RefusesWrongCalls) {
    json model = with_second_subgraph();
    json& options = model["subgraphs"][0]["operators"][2]["builtin_options"];
    options["else_subgraph_index"] = 2;
    EXPECT_THAT(refusal(model), HasSubstr("subgraph 0: operator 2 (IF \"after\"): it calls "
                                          "subgraph 2, but the model has 2"));
    options["else_subgraph_index"] = -1;
    EXPECT_THAT(refusal(model), HasSubstr("it calls subgraph -1"));
    options["else_subgraph_index"] = 0;
    EXPECT_THAT(refusal(model), HasSubstr("subgraph 0: it calls itself"));
}

TEST(ImportSubgraphs, NamesTheSubgraphOfAFault) {
    json model = with_second_subgraph();
    model["subgraphs"][1]["tensors"][0]["shape"] = {1, -3};
    EXPECT_THAT(refusal(model), HasSubstr("subgraph 1: tensor 0 (\"x\"): dimension 1 is -3"));
}

TEST(ImportSignatures, DropsThoseThatNameNothing) {
    json model = small_model();
    model["signature_defs"] = json::parse(R"([
      {"signature_key": "good", "inputs": [{"name": "x", "tensor_index": 0}],
       "outputs": [{"name": "y", "tensor_index": 4}]},
      {"signature_key": "bad\ntensor", "inputs": [{"name": "x", "tensor_index": 900}]},
      {"signature_key": "bad subgraph", "subgraph_index": 1}])");
    support::Diagnostics diagnostics;
    const ir::Model result = import(to_file(model), diagnostics);
    ASSERT_EQ(result.signatures.size(), 1U);
    EXPECT_EQ(result.signatures[0].key, "good");
    EXPECT_EQ(result.signatures[0].outputs[0].name, "y");
    EXPECT_EQ(result.signatures[0].outputs[0].tensor, 4);
    ASSERT_EQ(diagnostics.list().size(), 2U);
    EXPECT_EQ(support::to_text(diagnostics.list()[0]),
              "warning: signature \"bad?tensor\": ignored: it names a tensor that does not exist");
    EXPECT_THAT(support::to_text(diagnostics.list()[1]), HasSubstr("it names subgraph 1"));
}

TEST(ImportMetadata, ReadsBuffersAndDropsWrongOnes) {
    json model = small_model();
    model["metadata"] = json::parse(R"([
      {"name": "min_runtime_version", "buffer": 2}, {"name": "lost", "buffer": 77}])");
    support::Diagnostics diagnostics;
    const ir::Model result = import(to_file(model), diagnostics);
    ASSERT_EQ(result.metadata.size(), 1U);
    EXPECT_EQ(result.metadata[0].name, "min_runtime_version");
    EXPECT_EQ(result.metadata[0].data.size(), 12U);
    ASSERT_EQ(diagnostics.list().size(), 1U);
    EXPECT_THAT(support::to_text(diagnostics.list()[0]),
                HasSubstr("metadata \"lost\": ignored: it uses buffer 77"));
}

TEST(ImportBounds, RefusesAModelManyTimesLargerThanItsFile) {
    json model = small_model();
    // A quarter of a megabyte that a hundred tensors share.
    model["buffers"].push_back({{"data", std::vector<int>(1 << 18, 1)}});
    for (int i = 0; i < 100; ++i)
        model["subgraphs"][0]["tensors"].push_back(
            {{"name", "shared"}, {"shape", {1 << 18}}, {"type", 9}, {"buffer", 3}});
    EXPECT_THAT(refusal(model), HasSubstr("many times larger than the file"));
}

TEST(ImportFiles, RefusesWhatIsNoModel) {
    support::Diagnostics diagnostics;
    const auto refuse = [&](std::vector<std::uint8_t> file) -> std::string {
        try {
            import(file, diagnostics);
        } catch (const support::Failure& failure) {
            EXPECT_EQ(failure.status(), support::ExitStatus::model);
            return failure.what();
        }
        return "";
    };
    EXPECT_THAT(refuse({}), HasSubstr("the model file is empty"));
    EXPECT_THAT(refuse({1, 2, 3}), HasSubstr("too short"));
    std::vector<std::uint8_t> file = to_file(small_model());
    file[7] = '2';
    EXPECT_THAT(refuse(file), HasSubstr("lacks the identifier TFL3"));
}

TEST(ImportFiles, SurvivesEveryTruncation) {
    const std::vector<std::uint8_t> file = to_file(small_model());
    for (std::size_t size = 0; size < file.size(); ++size) {
        support::Diagnostics diagnostics;
        // A copy of just that size, so that a sanitizer sees every step beyond it.
        const std::vector<std::uint8_t> part(file.begin(), file.begin() + static_cast<long>(size));
        try {
            import(part, diagnostics);
        } catch (const support::Failure& failure) {
            EXPECT_EQ(failure.status(), support::ExitStatus::model);
        }
    }
}

TEST(ImportFiles, SurvivesEveryChangedByte) {
    const std::vector<std::uint8_t> file = to_file(small_model());
    for (std::size_t i = 0; i < file.size(); ++i) {
        for (const int change : {0x01, 0x80, 0xFF}) {
            std::vector<std::uint8_t> changed = file;
            changed[i] = static_cast<std::uint8_t>(changed[i] ^ change);
            support::Diagnostics diagnostics;
            try {
                const ir::Model model = import(changed, diagnostics);
                for (const ir::Graph& graph : model.subgraphs) ir::verify(graph, "import");
            } catch (const support::Failure& failure) {
                EXPECT_EQ(failure.status(), support::ExitStatus::model) << failure.what();
            }
        }
    }
}

TEST(ImportFiles, ReadsTheProjectsModels) {
    int models = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(INGOT_PROJECT_DIR "/tests/models")) {
        if (entry.path().extension() != ".tflite") continue;
        support::Diagnostics diagnostics;
        const ir::Model model = import(support::read_file(entry.path()), diagnostics);
        EXPECT_THAT(diagnostics.list(), IsEmpty()) << entry.path();
        for (const ir::Graph& graph : model.subgraphs) ir::verify(graph, "import");
        ++models;
    }
    EXPECT_GE(models, 5);
}

}  // namespace
}  // namespace ingot::tflite
