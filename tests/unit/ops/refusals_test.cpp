// What hostile or unsupported operators are refused for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "one_operator.h"

namespace ingot::test {
namespace {

using ir::DataType;
using ::testing::HasSubstr;

Operand int8(ir::Shape shape, float scale = 1.0F, std::int32_t zero_point = 0) {
    return {DataType::int8, std::move(shape), scale, zero_point, {}};
}

/// A supported operator, one change that makes it unsupported, and a word of the reason.
struct Refusal {
    std::string name;
    OneOperator good;
    std::function<void(ir::Graph&)> change;
    std::string reason;
};

void PrintTo(const Refusal& refusal, std::ostream* stream) {
    *stream << refusal.name;
}

OneOperator max_pool() {
    return {"MAX_POOL_2D",
            {int8({1, 4, 4, 3})},
            int8({1, 2, 2, 3}),
            options({{"filter_height", 2},
                     {"filter_width", 2},
                     {"stride_h", 2},
                     {"stride_w", 2},
                     {"padding", 0}})};
}

OneOperator softmax() {
    ir::Attributes beta;
    beta.set("beta", 1.0);
    return {"SOFTMAX", {int8({2, 5}, 0.1F)}, int8({2, 5}, 1.0F / 256.0F, -128), beta};
}

OneOperator add() {
    return {"ADD", {int8({2, 3}), int8({3})}, int8({2, 3})};
}

OneOperator mean() {
    return {"MEAN", {int8({2, 3}), integers({1}, {1})}, int8({2})};
}

OneOperator pad() {
    return {"PAD", {int8({2, 3}), integers({2, 2}, {0, 1, 2, 0})}, int8({3, 5})};
}

OneOperator concatenation() {
    return {"CONCATENATION", {int8({2, 3}), int8({2, 1})}, int8({2, 4}), options({{"axis", -1}})};
}

OneOperator svdf() {
    using Codes = std::vector<std::int8_t>;
    return {"SVDF",
            {int8({1, 2}),
             {DataType::int8, {4, 2}, 1.0F, 0, to_bytes(Codes(8, 1))},
             {DataType::int8, {4, 3}, 1.0F, 0, to_bytes(Codes(12, 1))},
             {DataType::int32, {2}, 1.0F, 0, to_bytes<std::int32_t>({0, 3})},
             {DataType::int8, {1, 12}, 1.0F, 0, {}, true}},
            int8({1, 2}),
            options({{"rank", 2}})};
}

std::function<void(ir::Graph&)> option(const std::string& name, std::int64_t value) {
    return [=](ir::Graph& graph) { graph.operators[0].attributes.set(name, value); };
}

std::function<void(ir::Graph&)> shape(std::size_t tensor, const ir::Shape& value) {
    return [=](ir::Graph& graph) { graph.tensors[tensor].shape = value; };
}

std::function<void(ir::Graph&)> scale(std::size_t tensor, float value) {
    return [=](ir::Graph& graph) { graph.tensors[tensor].quantization.scales = {value}; };
}

std::function<void(ir::Graph&)> zero_point(std::size_t tensor, std::int32_t value) {
    return [=](ir::Graph& graph) { graph.tensors[tensor].quantization.zero_points = {value}; };
}

std::function<void(ir::Graph&)> type(std::size_t tensor, DataType value) {
    return [=](ir::Graph& graph) { graph.tensors[tensor].type = value; };
}

std::function<void(ir::Graph&)> values(std::size_t tensor, const std::vector<std::int32_t>& list) {
    return [=](ir::Graph& graph) { graph.tensors[tensor].data = to_bytes(list); };
}

std::vector<Refusal> refusals() {
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    return {
        {"PoolWindowZero", max_pool(), option("filter_height", 0), "window"},
        {"PoolWindowHuge", max_pool(), option("filter_width", 1 << 30), "window"},
        {"PoolWindowProduct",
         {"AVERAGE_POOL_2D",
          {int8({1, 4, 4, 3})},
          int8({1, 2, 2, 3}),
          max_pool().graph.operators[0].attributes},
         [](ir::Graph& graph) {
             graph.operators[0].attributes.set("filter_width", std::int64_t{65536});
             graph.operators[0].attributes.set("filter_height", std::int64_t{65536});
         },
         "window"},
        {"PoolStrideNegative", max_pool(), option("stride_h", -1), "stride"},
        {"PoolPaddingUnknown", max_pool(), option("padding", 7), "padding"},
        {"PoolActivationTanh", max_pool(), option("fused_activation_function", 4), "activation"},
        {"PoolOutputShape", max_pool(), shape(1, {1, 2, 3, 3}), "shape"},
        {"PoolRank", max_pool(), shape(0, {4, 4, 3}), "4 dimensions"},
        {"PoolScale", max_pool(), scale(1, 1.1F), "scale"},
        {"PoolZeroPoint", max_pool(), zero_point(1, 1), "zero point"},
        {"PoolType", max_pool(), type(1, DataType::float32), "int8"},
        {"SoftmaxScale", softmax(), scale(1, 0.1F), "1/256"},
        {"SoftmaxZeroPoint", softmax(), zero_point(1, 0), "-128"},
        {"SoftmaxTinyScale", softmax(), scale(0, 1e-9F), "2^-26"},
        {"SoftmaxNegativeBeta", softmax(),
         [](ir::Graph& graph) { graph.operators[0].attributes.set("beta", -1.0); }, "beta"},
        {"SoftmaxBetaNan", softmax(),
         [](ir::Graph& graph) {
             graph.operators[0].attributes.set("beta", std::numeric_limits<double>::quiet_NaN());
         },
         "beta"},
        {"SoftmaxShape", softmax(), shape(1, {5, 2}), "shape"},
        {"AddShapes", add(), shape(1, {2}), "broadcast"},
        {"AddOutputShape", add(), shape(2, {1, 3}), "broadcast"},
        {"AddTypes", add(), type(1, DataType::int16), "int8"},
        {"AddOutputScale", add(), scale(2, 1e-7F), "2^-19"},
        {"AddZeroPoint", add(), zero_point(0, 128), "int8"},
        {"AddMissing", add(), [](ir::Graph& graph) { graph.operators[0].inputs[1] = -1; },
         "missing"},
        {"MeanAxis", mean(), values(1, {2}), "axis"},
        {"MeanAxisNegative", mean(), values(1, {-3}), "axis"},
        {"MeanOutput", mean(), shape(2, {3}), "keep_dims"},
        {"MeanAxesNotConstant", mean(), [](ir::Graph& graph) { graph.tensors[1].constant = false; },
         "constant"},
        {"PadNegative", pad(), values(1, {-1, 2, 2, 0}), "0 or more"},
        {"PadOverflow", pad(), values(1, {0, kMost, 2, 0}), "0 or more"},
        {"PadCount", pad(), shape(1, {4}), "two for each"},
        {"PadOutput", pad(), shape(2, {3, 6}), "shape"},
        {"ConcatenationAxis", concatenation(), option("axis", 6), "axis"},
        {"ConcatenationShape", concatenation(), shape(1, {3, 1}), "shapes"},
        {"ConcatenationScale", concatenation(), scale(1, 0.5F), "scales"},
        {"ConcatenationActivation", concatenation(), option("fused_activation_function", 1),
         "activation"},
        {"SvdfRankZero", svdf(), option("rank", 0), "rank"},
        {"SvdfRankThree", svdf(), option("rank", 3), "rank"},
        {"SvdfStateSmall", svdf(), shape(4, {1, 5}), "shapes"},
        {"SvdfStateType", svdf(), type(4, DataType::int16), "state"},
        {"SvdfStateNotVariable", svdf(),
         [](ir::Graph& graph) { graph.tensors[4].variable = false; }, "variable"},
        {"SvdfBiasScale", svdf(), scale(3, 1.1F), "bias"},
        {"SvdfBiasLength", svdf(), shape(3, {3}), "bias"},
        {"SvdfRatio", svdf(), scale(0, 1e38F), "2^30"},
        {"LogisticZeroPoint",
         {"LOGISTIC", {int8({3})}, int8({3}, 1.0F / 256.0F, -128)},
         zero_point(1, 0),
         "-128"},
        {"Relu6TinyScale", {"RELU6", {int8({3})}, int8({3})}, scale(0, 1e-30F), "int32"},
        {"QuantizePair", {"QUANTIZE", {int8({3})}, int8({3})}, type(1, DataType::uint32), "pairs"},
        {"QuantizeUnquantised",
         {"QUANTIZE", {int8({3})}, int8({3})},
         [](ir::Graph& graph) { graph.tensors[0].quantization = {}; },
         "scale"},
        {"DequantizePerChannel",
         {"DEQUANTIZE", {int8({3})}, {DataType::float32, {3}, 0.0F, 0, {}}},
         [](ir::Graph& graph) {
             graph.tensors[0].quantization.scales = {1.0F, 1.0F, 1.0F};
             graph.tensors[0].quantization.zero_points = {0, 0, 0};
         },
         "one scale"},
    };
}

class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, ForOneReason) {
    OneOperator op = GetParam().good;
    EXPECT_EQ(op.reason(), "");
    GetParam().change(op.graph);
    EXPECT_THAT(op.reason(), HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(Operators, Refused, ::testing::ValuesIn(refusals()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ingot::test
