#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <string>

#include "ir/graph.h"
#include "support/diagnostics.h"

namespace ingot::ir {
namespace {

using testing::HasSubstr;

/// in -> RELU -> mid -> ADD(constant) -> out
Graph small_graph() {
    Graph graph;
    graph.name = "main";
    for (const char* name : {"in", "mid", "addend", "out"}) {
        Tensor tensor;
        tensor.name = name;
        tensor.type = DataType::int8;
        tensor.shape = {1, 3};
        tensor.quantization.scales = {0.5F};
        tensor.quantization.zero_points = {-3};
        graph.tensors.push_back(tensor);
    }
    graph.tensors[2].constant = true;
    graph.tensors[2].data = {1, 2, 3};
    Operator relu;
    relu.type = "RELU";
    relu.inputs = {0};
    relu.outputs = {1};
    Operator add;
    add.type = "ADD";
    add.index = 1;
    add.inputs = {1, 2};
    add.outputs = {3};
    add.attributes.set("fused_activation_function", std::int64_t{1});
    graph.operators = {relu, add};
    graph.inputs = {0};
    graph.outputs = {3};
    return graph;
}

std::string fault(const Graph& graph) {
    try {
        verify(graph, "a pass");
    } catch (const support::Failure& failure) {
        EXPECT_EQ(failure.status(), support::ExitStatus::internal);
        EXPECT_EQ(failure.diagnostics().front().where, "after a pass");
        return failure.diagnostics().front().message;
    }
    return "";
}

TEST(Types, CountsElements) {
    EXPECT_EQ(element_count({}), 1);
    EXPECT_EQ(element_count({2, 3, 4}), 24);
    EXPECT_EQ(element_count({2, 0, 4}), 0);
    EXPECT_EQ(element_count({2, -1}), std::nullopt);
    constexpr std::int32_t big = std::numeric_limits<std::int32_t>::max();
    EXPECT_EQ(element_count({big, big}), std::int64_t{big} * big);
    EXPECT_EQ(element_count({big, big, 4}), std::nullopt);
    EXPECT_EQ(element_count({0, big, big, 4}), std::nullopt) << "partial products must fit too";
}

TEST(Types, CountsBytes) {
    EXPECT_EQ(byte_count(DataType::int8, {3}), 3);
    EXPECT_EQ(byte_count(DataType::int4, {3}), 2);
    EXPECT_EQ(byte_count(DataType::int4, {4}), 2);
    EXPECT_EQ(byte_count(DataType::int64, {2, 2}), 32);
    EXPECT_EQ(byte_count(DataType::complex128, {}), 16);
    EXPECT_EQ(byte_count(DataType::boolean, {0}), 0);
    EXPECT_EQ(byte_count(DataType::string, {1}), std::nullopt);
    constexpr std::int32_t big = std::numeric_limits<std::int32_t>::max();
    EXPECT_EQ(byte_count(DataType::float32, {big, big}), std::nullopt) << "bits overflow";
}

TEST(Types, NamesEveryType) {
    for (int i = 0; i <= 17; ++i) EXPECT_NE(name(static_cast<DataType>(i)), "unknown") << i;
    EXPECT_EQ(name(static_cast<DataType>(18)), "unknown");
    EXPECT_EQ(name(DataType::boolean), "bool");
    EXPECT_EQ(to_text(Shape{}), "scalar");
    EXPECT_EQ(to_text(Shape{1, 49, 10, 8}), "1x49x10x8");
}

TEST(Tensor, KnowsItsSize) {
    Tensor tensor;
    tensor.type = DataType::int16;
    tensor.shape = {2, 5};
    EXPECT_EQ(tensor.bytes(), 20U);
    EXPECT_EQ(tensor.elements(), 10);
    tensor.type = DataType::resource;
    EXPECT_EQ(tensor.bytes(), 0U);
    tensor.shape = {-1};
    EXPECT_THROW((void)tensor.elements(), std::logic_error);
}

TEST(Attributes, FallBackWhenAbsentOrOfAnotherType) {
    Attributes attributes;
    attributes.set("stride_w", std::int64_t{2});
    attributes.set("beta", 0.5);
    attributes.set("keep_dims", true);
    attributes.set("squeeze_dims", std::vector<std::int64_t>{0, 2});
    EXPECT_EQ(attributes.get_int("stride_w", 7), 2);
    EXPECT_EQ(attributes.get_int("stride_h", 7), 7);
    EXPECT_EQ(attributes.get_int("beta", 7), 7);
    EXPECT_EQ(attributes.get_float("beta"), 0.5);
    EXPECT_EQ(attributes.get_float("stride_w", 1.5), 1.5);
    EXPECT_TRUE(attributes.get_bool("keep_dims"));
    EXPECT_TRUE(attributes.get_bool("stride_w", true));
    EXPECT_THAT(attributes.get_ints("squeeze_dims"), testing::ElementsAre(0, 2));
    EXPECT_TRUE(attributes.get_ints("stride_w").empty());
    EXPECT_TRUE(attributes.has("beta"));
    EXPECT_FALSE(attributes.has("alpha"));
}

TEST(Printable, ReplacesWhatDisturbsMessages) {
    EXPECT_EQ(printable("block_3/conv"), "block_3/conv");
    EXPECT_EQ(printable("a\nb\x1b[31m\x7f"), "a?b?[31m?");
    EXPECT_EQ(printable("say \"hi\""), "say 'hi'");
    EXPECT_EQ(printable("sch\xC3\xB6n"), "sch\xC3\xB6n");
    EXPECT_EQ(printable("\xC2\x85"), "?") << "a control character beyond ASCII";
    EXPECT_EQ(printable("\xE2\x80\xAE"
                        "abc"),
              "?abc")
        << "right-to-left override";
    EXPECT_EQ(printable("\xFF\xC3"), "??") << "no UTF-8";
    EXPECT_EQ(printable("\xC0\x80"), "??") << "overlong";
    EXPECT_EQ(printable("\xED\xA0\x80"), "???") << "surrogate";
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
}

TEST(Printable, ShortensToTheLimit) {
    EXPECT_EQ(printable(std::string(80, 'x')), std::string(80, 'x'));
    EXPECT_EQ(printable(std::string(81, 'x')), std::string(77, 'x') + "...");
    EXPECT_EQ(printable("abcdef", 5), "ab...");
}

TEST(Printable, AlwaysGivesShortTextWithoutControls) {
    EXPECT_TRUE(rc::check("printable", [](const std::string& name) {
        const std::string text = printable(name, 20);
        RC_ASSERT(text.size() <= 80U);
        RC_ASSERT(printable(text, 80) == text);
        for (const char c : text) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20);
    }));
}

TEST(Describe, NamesOperatorsAndTensors) {
    Graph graph = small_graph();
    graph.operators[1].index = 12;
    EXPECT_EQ(describe(graph, graph.operators[1]), "operator 12 (ADD \"out\")");
    EXPECT_EQ(describe(graph, 1), "tensor 1 (\"mid\")");
    EXPECT_EQ(describe(graph, 9), "tensor 9");
    graph.tensors[3].name.clear();
    EXPECT_EQ(describe(graph, graph.operators[1]), "operator 12 (ADD)");
    graph.operators[1].type = "CUSTOM";
    graph.operators[1].custom_name = "my\nop";
    EXPECT_EQ(describe(graph, graph.operators[1]), "operator 12 (CUSTOM my?op)");
}

TEST(Print, GivesOneLineForEachTensorAndOperator) {
    Graph graph = small_graph();
    graph.tensors.push_back({});  // unused: not printed
    EXPECT_EQ(print(graph),
              "graph \"main\"\n"
              "  inputs (0)\n"
              "  outputs (3)\n"
              "  tensor 0 int8 1x3 scale 0.5 zero point -3 \"in\"\n"
              "  tensor 1 int8 1x3 scale 0.5 zero point -3 \"mid\"\n"
              "  tensor 2 int8 1x3 scale 0.5 zero point -3 constant \"addend\"\n"
              "  tensor 3 int8 1x3 scale 0.5 zero point -3 \"out\"\n"
              "  operator 0 RELU (0) -> (1)\n"
              "  operator 1 ADD (1, 2) -> (3) fused_activation_function=1\n");
}

TEST(Verify, AcceptsASoundGraph) {
    Graph graph = small_graph();
    graph.operators[1].inputs.push_back(kAbsent);
    EXPECT_EQ(fault(graph), "");
}

TEST(Verify, FindsIndicesOutOfRange) {
    Graph graph = small_graph();
    graph.operators[0].inputs = {4};
    EXPECT_THAT(fault(graph), HasSubstr("reads a tensor out of range"));
    graph = small_graph();
    graph.operators[0].outputs = {-2};
    EXPECT_THAT(fault(graph), HasSubstr("writes a tensor out of range"));
    graph = small_graph();
    graph.outputs = {7};
    EXPECT_THAT(fault(graph), HasSubstr("output that is out of range"));
    graph = small_graph();
    graph.inputs = {-1};
    EXPECT_THAT(fault(graph), HasSubstr("input that is out of range"));
}

TEST(Verify, FindsWrongOrder) {
    Graph graph = small_graph();
    std::swap(graph.operators[0], graph.operators[1]);
    EXPECT_THAT(fault(graph), HasSubstr("reads tensor 1 (\"mid\") before it is written"));
    graph.tensors[1].variable = true;
    EXPECT_EQ(fault(graph), "");
    graph = small_graph();
    graph.operators.pop_back();
    EXPECT_THAT(fault(graph), HasSubstr("output that nothing writes"));
}

TEST(Verify, FindsSecondWriters) {
    Graph graph = small_graph();
    graph.operators[1].outputs = {1};
    EXPECT_THAT(fault(graph), HasSubstr("which is written already"));
    graph = small_graph();
    graph.operators[1].outputs = {0};
    EXPECT_THAT(fault(graph), HasSubstr("which is written already"));
    graph = small_graph();
    graph.operators[1].outputs = {2};
    EXPECT_THAT(fault(graph), HasSubstr("writes constant"));
}

TEST(Verify, FindsUnsoundTensors) {
    Graph graph = small_graph();
    graph.tensors[2].data.pop_back();
    EXPECT_THAT(fault(graph), HasSubstr("not as many bytes"));
    graph = small_graph();
    graph.tensors[1].shape = {1, -3};
    EXPECT_THAT(fault(graph), HasSubstr("no defined size"));
    graph = small_graph();
    graph.tensors[1].quantization.zero_points.clear();
    EXPECT_THAT(fault(graph), HasSubstr("zero points"));
    graph = small_graph();
    graph.inputs = {2};
    EXPECT_THAT(fault(graph), HasSubstr("input and constant"));
}

}  // namespace
}  // namespace ingot::ir
