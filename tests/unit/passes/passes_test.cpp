#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "passes/pass.h"

using namespace ingot;

namespace {

ir::Tensor activation(const std::string& name) {
    ir::Tensor tensor;
    tensor.name = name;
    tensor.type = ir::DataType::int8;
    tensor.shape = {4};
    return tensor;
}

ir::Tensor constant(const std::string& name, std::vector<std::uint8_t> data) {
    ir::Tensor tensor = activation(name);
    tensor.shape = {static_cast<std::int32_t>(data.size())};
    tensor.constant = true;
    tensor.data = std::move(data);
    return tensor;
}

ir::Operator op(const std::string& type, std::int32_t index, std::vector<ir::TensorIndex> inputs,
                std::vector<ir::TensorIndex> outputs) {
    ir::Operator result;
    result.type = type;
    result.index = index;
    result.inputs = std::move(inputs);
    result.outputs = std::move(outputs);
    return result;
}

std::map<std::string, bool> only(const std::string& name) {
    std::map<std::string, bool> enabled;
    for (const passes::Pass* pass : passes::registry()) {
        enabled[std::string(pass->name)] = pass->name == name;
    }
    return enabled;
}

const passes::PassResult& result_of(const std::vector<passes::PassResult>& results,
                                    const std::string& name) {
    return *std::find_if(results.begin(), results.end(),
                         [&](const auto& result) { return result.name == name; });
}

// 0 input → RESHAPE 1 → RESHAPE 2 → RELU 3 (output); 4, 5: equal shape constants.
ir::Graph chain_of_views() {
    ir::Graph graph;
    graph.tensors = {activation("in"),
                     activation("a"),
                     activation("b"),
                     activation("out"),
                     constant("s1", {4, 0, 0, 0}),
                     constant("s2", {4, 0, 0, 0})};
    graph.operators = {op("RESHAPE", 0, {0, 4}, {1}), op("RESHAPE", 1, {1, 5}, {2}),
                       op("RELU", 2, {2}, {3})};
    graph.inputs = {0};
    graph.outputs = {3};
    return graph;
}

passes::Environment environment() {
    passes::Environment result;
    result.compile_time_inputs = [](const ir::Operator& o) {
        return o.type == "RESHAPE" ? std::vector<std::size_t>{1} : std::vector<std::size_t>{};
    };
    result.evaluate =
        [](const ir::Graph& graph,
           const ir::Operator& o) -> std::optional<std::vector<std::vector<std::uint8_t>>> {
        if (o.type != "RELU") return std::nullopt;
        return std::vector<std::vector<std::uint8_t>>{graph.tensor(o.inputs[0]).data};
    };
    return result;
}

TEST(Passes, NamesAreUniqueAndDescribed) {
    std::set<std::string_view> names;
    for (const passes::Pass* pass : passes::registry()) {
        EXPECT_TRUE(names.insert(pass->name).second) << pass->name;
        EXPECT_FALSE(pass->description.empty());
    }
}

TEST(Passes, DisabledPassesChangeNothing) {
    ir::Graph graph = chain_of_views();
    const std::string before = ir::print(graph);
    std::map<std::string, bool> off;
    for (const passes::Pass* pass : passes::registry()) off[std::string(pass->name)] = false;
    for (const auto& result : passes::run(graph, off, environment())) {
        EXPECT_FALSE(result.enabled);
        EXPECT_EQ(result.changes, 0U);
    }
    EXPECT_EQ(ir::print(graph), before);
}

TEST(Passes, CollapseViewsReadsTheFirstOperand) {
    ir::Graph graph = chain_of_views();
    const auto results = passes::run(graph, only("collapse-views"), environment());
    EXPECT_EQ(graph.operators[1].inputs[0], 0);
    EXPECT_EQ(result_of(results, "collapse-views").changes, 1U);
    EXPECT_EQ(graph.operators.size(), 3U);
}

TEST(Passes, CollapseViewsLeavesOperandsThatTheShapeIsBoundTo) {
    for (const char* type : {"SQUEEZE", "EXPAND_DIMS"}) {
        ir::Graph graph = chain_of_views();
        graph.operators[1].type = type;
        passes::run(graph, only("collapse-views"), environment());
        EXPECT_EQ(graph.operators[1].inputs[0], 1) << type;

        graph = chain_of_views();
        graph.operators[0].type = type;
        passes::run(graph, only("collapse-views"), environment());
        EXPECT_EQ(graph.operators[1].inputs[0], 0) << type;
    }
}

TEST(Passes, DefaultsRemoveTheViewBetweenAndItsConstants) {
    ir::Graph graph = chain_of_views();
    const auto results = passes::run(graph, {}, environment());
    ASSERT_EQ(graph.operators.size(), 2U);
    EXPECT_EQ(graph.operators[0].index, 1) << "numbers of the model are kept";
    EXPECT_TRUE(graph.tensor(5).unread);
    EXPECT_EQ(result_of(results, "drop-unread-constants").removed_bytes, 4U);
    EXPECT_EQ(result_of(results, "remove-dead-operators").removed_operators, 1U);
}

TEST(Passes, InternConstantsKeepsDifferentOnesApart) {
    ir::Graph graph = chain_of_views();
    passes::run(graph, only("intern-constants"), environment());
    EXPECT_EQ(graph.operators[1].inputs[1], 4);

    graph = chain_of_views();
    graph.tensor(5).shape = {2, 2};
    passes::run(graph, only("intern-constants"), environment());
    EXPECT_EQ(graph.operators[1].inputs[1], 5);
}

TEST(Passes, AConstantThatSomebodyReadsIsKept) {
    ir::Graph graph = chain_of_views();
    graph.operators.push_back(op("RELU", 3, {4}, {5}));
    graph.tensor(5) = activation("x");
    graph.operators[1].inputs[1] = 4;
    graph.outputs.push_back(5);
    passes::run(graph, only("drop-unread-constants"), environment());
    EXPECT_FALSE(graph.tensor(4).unread);
}

TEST(Passes, FoldConstantsReplacesTheOperatorByItsResult) {
    ir::Graph graph = chain_of_views();
    graph.operators.push_back(op("RELU", 3, {4}, {5}));
    graph.tensor(5) = activation("x");
    graph.operators[1].inputs[1] = 4;
    graph.outputs.push_back(5);
    passes::run(graph, only("fold-constants"), environment());
    EXPECT_EQ(graph.operators.size(), 3U);
    EXPECT_TRUE(graph.tensor(5).constant);
    EXPECT_EQ(graph.tensor(5).data, graph.tensor(4).data);
}

TEST(Passes, StatefulOperatorsAreNeverDead) {
    ir::Graph graph = chain_of_views();
    graph.tensors.push_back(activation("state"));
    graph.tensors.back().variable = true;
    graph.tensors.push_back(activation("unread"));
    graph.operators.push_back(op("SVDF", 3, {3, 6}, {7}));
    graph.operators.push_back(op("RELU", 4, {7}, {8}));
    graph.tensors.push_back(activation("unread too"));
    passes::run(graph, only("remove-dead-operators"), environment());
    ASSERT_EQ(graph.operators.size(), 4U);
    EXPECT_EQ(graph.operators.back().type, "SVDF");
}

}  // namespace
