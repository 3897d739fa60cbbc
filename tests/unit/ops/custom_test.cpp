// Custom operators: their functions' names, and what is declared.
#include "ops/custom.h"

#include <gtest/gtest.h>

#include "ops/operator.h"
#include "support/diagnostics.h"
#include "unit/ops/one_operator.h"

namespace ingot::ops {
namespace {

ir::Graph custom_graph(const std::string& name) {
    ir::Graph graph;
    for (int i = 0; i < 3; ++i) {
        ir::Tensor tensor;
        tensor.type = ir::DataType::int16;
        tensor.shape = {2, 3};
        graph.tensors.push_back(tensor);
    }
    graph.tensors[1].variable = true;
    ir::Operator op;
    op.type = "CUSTOM";
    op.custom_name = name;
    op.index = 7;
    op.inputs = {0, ir::kAbsent, 1};
    op.outputs = {2};
    op.custom_options = {5, 6};
    graph.operators = {op};
    graph.inputs = {0};
    graph.outputs = {2};
    return graph;
}

LoweringOptions declaring(const std::string& name) {
    LoweringOptions options;
    options.custom_operators = {name};
    return options;
}

TEST(CustomOperator, NamesBecomeIdentifiers) {
    EXPECT_EQ(custom_function("MyOp_2"), "MyOp_2");
    EXPECT_EQ(custom_function("acme::My Op-2"), "acme__My_Op_2");
    EXPECT_EQ(custom_function("3_run"), "_3_run");
    EXPECT_EQ(custom_function("\xc3\xbc"), "__");
    EXPECT_EQ(custom_function("class"), "class");
}

TEST(CustomOperator, ADeclarationIsShownAsYaml) {
    EXPECT_EQ(custom_declaration("MyOp"), "custom_operators: [{name: MyOp}]");
    EXPECT_EQ(custom_declaration("a: b\\c"), "custom_operators: [{name: \"a: b\\\\c\"}]");
    EXPECT_EQ(custom_declaration("a\nb").find('\n'), std::string::npos);
}

TEST(CustomOperator, IsSupportedWhenDeclared) {
    const ir::Graph graph = custom_graph("MyOp");
    const ir::Operator& op = graph.operators.front();
    ASSERT_EQ(unsupported_reasons(graph, op, declaring("myop")).size(), 1U);
    EXPECT_TRUE(unsupported_reasons(graph, op, declaring("MyOp")).empty());
    try {
        lower(graph, {});
        FAIL() << "nothing was refused";
    } catch (const support::Failure& failure) {
        EXPECT_EQ(failure.status(), support::ExitStatus::model);
        EXPECT_NE(failure.diagnostics()[0].hint.find("custom_operators: [{name: MyOp}]"),
                  std::string::npos);
    }
}

TEST(CustomOperator, IsLoweredToACallWithItsOperandsAndOptions) {
    const program::Program program = lower(custom_graph("My Op"), declaring("My Op"));
    ASSERT_EQ(program.steps.size(), 1U);
    const program::Step& step = program.steps.front();
    EXPECT_EQ(step.name, "custom_7");
    EXPECT_TRUE(step.calls.empty());
    EXPECT_FALSE(step.is_view());
    ASSERT_TRUE(step.custom.has_value());
    EXPECT_EQ(step.custom->function, "My_Op");
    EXPECT_EQ(step.custom->options, (std::vector<std::uint8_t>{5, 6}));
    ASSERT_EQ(step.custom->inputs.size(), 3U);
    EXPECT_FALSE(step.custom->inputs[1].has_value());
    EXPECT_EQ(program.tensor(*step.custom->inputs[2]).role, program::Role::persistent);
    // The variable may be written to.
    EXPECT_EQ(step.reads.size(), 2U);
    EXPECT_EQ(step.writes.size(), 2U);
    EXPECT_FALSE(program::runs_on_host(program));
    EXPECT_THROW(program::Instance(program, program::separate_layout(program)), support::Failure);
}

TEST(CustomOperator, OperandsNeedASize) {
    ir::Graph graph = custom_graph("MyOp");
    graph.tensors[1].type = ir::DataType::resource;
    EXPECT_EQ(unsupported_reasons(graph, graph.operators.front(), declaring("MyOp")).size(), 1U);
    graph = custom_graph("MyOp");
    graph.tensors[1].constant = true;
    graph.tensors[1].variable = false;
    graph.tensors[1].type = ir::DataType::string;
    graph.tensors[1].data = {1, 2, 3};
    EXPECT_EQ(unsupported_reasons(graph, graph.operators.front(), declaring("MyOp")).size(), 1U);
}

}  // namespace
}  // namespace ingot::ops
