// What lowering writes for convolutions, fully connected layers and views, and what it refuses.
#include "ops/lowering.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/diagnostics.h"
#include "unit/ops/one_operator.h"

namespace ingot::ops {
namespace {

using test::OneOperator;
using test::Operand;

constexpr auto kInt8 = ir::DataType::int8;
constexpr auto kInt32 = ir::DataType::int32;

std::vector<std::uint8_t> ones(std::size_t count) {
    return std::vector<std::uint8_t>(count, 1);
}

/// 1x5x5x4 to 1x5x5x6 with two groups.
OneOperator convolution() {
    return {"CONV_2D",
            {{kInt8, {1, 5, 5, 4}, 0.5F, 3, {}},
             {kInt8, {6, 3, 3, 2}, 0.25F, 0, ones(108)},
             {kInt32, {6}, 0.125F, 0, test::to_bytes(std::vector<std::int32_t>(6, 100))}},
            {kInt8, {1, 5, 5, 6}, 1.0F, -1, {}},
            test::options({{"padding", 0},
                           {"stride_h", 1},
                           {"stride_w", 1},
                           {"dilation_h_factor", 1},
                           {"dilation_w_factor", 1},
                           {"fused_activation_function", 1}})};
}

/// 1x5x5x2 to 1x5x5x4.
OneOperator depthwise() {
    OneOperator op = convolution();
    ir::Operator& node = op.graph.operators[0];
    node.type = "DEPTHWISE_CONV_2D";
    node.attributes.set("depth_multiplier", std::int64_t{2});
    op.graph.tensors[0].shape = {1, 5, 5, 2};
    op.graph.tensors[1].shape = {1, 3, 3, 4};
    op.graph.tensors[1].data = ones(36);
    op.graph.tensors[2].shape = {4};
    op.graph.tensors[2].data = ones(16);
    op.graph.tensors[3].shape = {1, 5, 5, 4};
    return op;
}

/// 2x3 to 2x5.
OneOperator fully_connected() {
    return {"FULLY_CONNECTED",
            {{kInt8, {2, 3}, 0.5F, 3, {}},
             {kInt8, {5, 3}, 0.25F, 0, ones(15)},
             {kInt32, {5}, 0.125F, 0, test::to_bytes(std::vector<std::int32_t>(5, 7))}},
            {kInt8, {2, 5}, 1.0F, -1, {}},
            test::options({{"fused_activation_function", 0}, {"weights_format", 0}})};
}

void set_filter_scales(OneOperator& op, std::size_t count, std::int32_t axis) {
    op.graph.tensors[1].quantization = {std::vector<float>(count, 0.25F),
                                        std::vector<std::int32_t>(count, 0), axis};
}

std::vector<std::string> constant_ids(const program::Program& program, std::size_t step = 0) {
    std::vector<std::string> ids;
    for (const auto& access : program.steps.at(step).constants) {
        ids.push_back(program.tensor(access.tensor).id);
    }
    return ids;
}

std::int64_t field(const program::Call& call, std::string_view name) {
    for (std::size_t i = 0; i < call.kernel->fields.size(); ++i) {
        if (call.kernel->fields[i].name == name) return std::get<std::int64_t>(call.descriptor[i]);
    }
    throw std::logic_error("no such field");
}

using Ids = std::vector<std::string>;

TEST(LowerConv2d, FoldsBiasAndZeroPoint) {
    const auto program = lower(convolution().graph, {});
    const program::Step& step = program.steps.at(0);
    EXPECT_EQ(step.name, "conv_2d_0");
    EXPECT_EQ(step.macs, 25U * 6 * 18);
    EXPECT_TRUE(step.has_init);
    EXPECT_EQ(constant_ids(program),
              (Ids{"1", "conv_2d_0_weight_sum", "conv_2d_0_multiplier", "conv_2d_0_shift"}));
    EXPECT_EQ(step.constants[0].touched_bytes, 25U * 108);
    EXPECT_EQ(step.constants[1].touched_bytes, 25U * 24);
    // 100 - 3 * 18
    EXPECT_EQ(program.tensor(step.constants[1].tensor).data,
              test::to_bytes(std::vector<std::int32_t>(6, 46)));
    EXPECT_EQ(field(step.calls.at(0), "input_offset"), 0);
    EXPECT_EQ(field(step.calls.at(0), "pad_value"), 3);
    EXPECT_EQ(field(step.calls.at(0), "group_outputs"), 3);
    EXPECT_EQ(field(step.calls.at(0), "activation_min"), -1);
}

TEST(LowerConv2d, RunTimeWeightsAreNotFolded) {
    OneOperator op = convolution();
    op.graph.tensors[1].constant = false;
    op.graph.tensors[1].data.clear();
    op.graph.inputs.push_back(1);
    const auto program = lower(op.graph, {});
    EXPECT_EQ(constant_ids(program), (Ids{"2", "conv_2d_0_multiplier", "conv_2d_0_shift"}));
    EXPECT_EQ(field(program.steps[0].calls.at(0), "input_offset"), -3);
    EXPECT_EQ(field(program.steps[0].calls.at(0), "pad_value"), 0);
}

TEST(LowerDepthwise, KeepsTheBias) {
    const auto program = lower(depthwise().graph, {});
    EXPECT_EQ(constant_ids(program),
              (Ids{"1", "2", "depthwise_conv_2d_0_multiplier", "depthwise_conv_2d_0_shift"}));
    EXPECT_EQ(program.steps[0].macs, 25U * 4 * 9);
}

TEST(LowerFullyConnected, OneScale) {
    const auto program = lower(fully_connected().graph, {});
    EXPECT_EQ(constant_ids(program), (Ids{"1", "fully_connected_0_weight_sum"}));
    EXPECT_TRUE(program.steps[0].has_init);
    EXPECT_EQ(program.steps[0].macs, 2U * 15);
}

TEST(LowerFullyConnected, AScaleForEachOutputIsPacked) {
    OneOperator op = fully_connected();
    set_filter_scales(op, 5, 0);
    const auto program = lower(op.graph, {});
    EXPECT_EQ(constant_ids(program), (Ids{"fully_connected_0_packed"}));
    EXPECT_FALSE(program.steps[0].has_init);
    const program::Tensor& packed = program.tensor(program.steps[0].constants[0].tensor);
    // Rows of 3 weights and 12 bytes, and three rows of zeros.
    ASSERT_EQ(packed.size, 8U * 15);
    const std::vector<std::uint8_t> row(packed.data.begin(), packed.data.begin() + 15);
    // 7 - 3 * 3 = -2; 0.125 = 2^30 * 2^(-2 - 31)
    EXPECT_EQ(row, (std::vector<std::uint8_t>{1, 1, 1, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x40, 0xFE,
                                              0xFF, 0xFF, 0xFF}));
    EXPECT_EQ(std::count(packed.data.begin() + 75, packed.data.end(), 0), 45);
}

TEST(LowerView, SharesPlaceAndWritesNoCode) {
    const OneOperator op("RESHAPE", {{kInt8, {2, 6}, 0.5F, 0, {}}, test::integers({2}, {3, 4})},
                         {kInt8, {3, 4}, 0.5F, 0, {}});
    const auto program = lower(op.graph, {});
    EXPECT_TRUE(program.steps[0].calls.empty());
    EXPECT_EQ(program.tensor(program.outputs[0]).view_of, program.inputs[0]);
    EXPECT_EQ(constant_ids(program), (Ids{"1"}));
    OneOperator dropped = op;
    dropped.graph.tensors[1].unread = true;
    EXPECT_TRUE(constant_ids(lower(dropped.graph, {})).empty());
    EXPECT_EQ(lower(dropped.graph, {}).tensors.size(), 2U);
}

TEST(Lower, AConstantMayBeViewedAndBeAnOutput) {
    OneOperator op("RESHAPE", {{kInt8, {2, 2}, 0.5F, 0, {1, 2, 3, 4}}}, {kInt8, {4}, 0.5F, 0, {}});
    op.graph.outputs.push_back(0);
    const auto program = lower(op.graph, {});
    EXPECT_EQ(constant_ids(program), (Ids{"0"}));
    EXPECT_EQ(program.tensor(program.outputs[0]).role, program::Role::constant);
    EXPECT_EQ((op.run<std::int8_t, std::int8_t>({})), (std::vector<std::int8_t>{1, 2, 3, 4}));
}

TEST(Lower, NamesEveryUnsupportedOperator) {
    OneOperator op = convolution();
    op.graph.operators.push_back(op.graph.operators[0]);
    op.graph.operators[0].type = "TILE";
    op.graph.operators[1].attributes.set("stride_h", std::int64_t{0});
    try {
        lower(op.graph, {});
        FAIL();
    } catch (const support::Failure& failure) {
        EXPECT_EQ(failure.status(), support::ExitStatus::model);
        ASSERT_EQ(failure.diagnostics().size(), 2U);
        EXPECT_EQ(failure.diagnostics()[0].message, "operator TILE is not supported");
        EXPECT_NE(failure.diagnostics()[1].message.find("strides"), std::string::npos);
    }
}

/// A convolution of one value with run-time weights of so many channels.
OneOperator run_time_channels(std::int32_t channels) {
    return {"CONV_2D",
            {{kInt8, {1, 1, 1, 1}, 0.5F, 3, {}}, {kInt8, {channels, 1, 1, 1}, 0.25F, 0, {}}},
            {kInt8, {1, 1, 1, channels}, 1.0F, -1, {}},
            convolution().graph.operators[0].attributes};
}

TEST(Lower, EnormousAddedConstantsAreRefused) {
    EXPECT_EQ(run_time_channels(1 << 20).reason(), "");
    EXPECT_NE(run_time_channels((1 << 20) + 1).reason(), "");
    // Each adds 8 MiB of multipliers and shifts to a small file.
    OneOperator op = run_time_channels(1 << 20);
    for (ir::TensorIndex output = 3; output < 40; ++output) {
        op.graph.tensors.push_back(op.graph.tensors[2]);
        op.graph.operators.push_back(op.graph.operators[0]);
        op.graph.operators.back().index = output;
        op.graph.operators.back().outputs = {output};
    }
    try {
        lower(op.graph, {});
        FAIL();
    } catch (const support::Failure& failure) {
        EXPECT_EQ(failure.status(), support::ExitStatus::memory);
    }
}

/// A change to a supported operator that makes it unsupported.
struct Refusal {
    const char* what;
    OneOperator (*base)();
    std::function<void(ir::Graph&)> change;
};

void set_option(ir::Graph& graph, const char* key, std::int64_t value) {
    graph.operators[0].attributes.set(key, value);
}

std::vector<Refusal> refusals() {
    const auto scales = [](std::size_t count, std::int32_t axis) {
        return [=](ir::Graph& g) {
            g.tensors[1].quantization = {std::vector<float>(count, 0.25F),
                                         std::vector<std::int32_t>(count, 0), axis};
        };
    };
    const auto option = [](const char* key, std::int64_t value) {
        return [=](ir::Graph& g) { set_option(g, key, value); };
    };
    std::vector<Refusal> list;
    for (const auto base : {&convolution, &depthwise, &fully_connected}) {
        for (const Refusal& refusal : std::vector<Refusal>{
                 {"no filter", base, [](ir::Graph& g) { g.operators[0].inputs[1] = ir::kAbsent; }},
                 {"one operand", base, [](ir::Graph& g) { g.operators[0].inputs.resize(1); }},
                 {"four operands", base, [](ir::Graph& g) { g.operators[0].inputs.push_back(2); }},
                 {"no output", base, [](ir::Graph& g) { g.operators[0].outputs.clear(); }},
                 {"no options", base, [](ir::Graph& g) { g.operators[0].has_options = false; }},
                 {"int16 input", base,
                  [](ir::Graph& g) { g.tensors[0].type = ir::DataType::int16; }},
                 {"float input", base,
                  [](ir::Graph& g) { g.tensors[0].type = ir::DataType::float32; }},
                 {"uint8 output", base,
                  [](ir::Graph& g) { g.tensors[3].type = ir::DataType::uint8; }},
                 {"int4 filter", base,
                  [](ir::Graph& g) { g.tensors[1].type = ir::DataType::int4; }},
                 {"int16 bias", base,
                  [](ir::Graph& g) { g.tensors[2].type = ir::DataType::int16; }},
                 {"plain input", base, [](ir::Graph& g) { g.tensors[0].quantization = {}; }},
                 {"plain filter", base, [](ir::Graph& g) { g.tensors[1].quantization = {}; }},
                 {"per-channel output", base,
                  [](ir::Graph& g) {
                      g.tensors[3].quantization = {{1.0F, 1.0F}, {0, 0}, 0};
                  }},
                 {"zero point 200", base,
                  [](ir::Graph& g) { g.tensors[0].quantization.zero_points = {200}; }},
                 {"two scales", base, scales(2, 0)},
                 {"wrong axis", base, scales(3, 1)},
                 {"negative axis", base, scales(3, -1)},
                 {"short bias", base, [](ir::Graph& g) { g.tensors[2].shape = {3}; }},
                 {"rank of the filter", base, [](ir::Graph& g) { g.tensors[1].shape = {108}; }},
                 {"rank of the output", base,
                  [](ir::Graph& g) { g.tensors[3].shape.push_back(2); }},
                 {"wide output", base, [](ir::Graph& g) { g.tensors[3].shape.back() += 1; }},
                 {"tall output", base, [](ir::Graph& g) { g.tensors[3].shape[0] += 1; }},
                 {"SIGN_BIT", base, option("fused_activation_function", 5)},
                 {"unknown activation", base, option("fused_activation_function", 77)},
                 {"huge multiplier", base,
                  [](ir::Graph& g) { g.tensors[3].quantization.scales = {1e-30F}; }},
                 {"empty output", base, [](ir::Graph& g) { g.tensors[3].shape[0] = 0; }},
                 {"variable output", base, [](ir::Graph& g) { g.tensors[3].variable = true; }},
             }) {
            list.push_back(refusal);
        }
    }
    for (const auto base : {&convolution, &depthwise}) {
        for (const Refusal& refusal : std::vector<Refusal>{
                 {"stride 0", base, option("stride_h", 0)},
                 {"stride -1", base, option("stride_w", -1)},
                 {"dilation 0", base, option("dilation_w_factor", 0)},
                 {"huge stride", base, option("stride_w", std::int64_t{1} << 40)},
                 {"huge dilation", base, option("dilation_h_factor", 0x7FFFFFFF)},
                 {"padding 7", base, option("padding", 7)},
                 {"VALID needs less", base, option("padding", 1)},
                 {"input of rank 3", base,
                  [](ir::Graph& g) {
                      g.tensors[0].shape = {5, 5, 4};
                  }},
                 {"no input channels", base, [](ir::Graph& g) { g.tensors[0].shape[3] = 0; }},
                 {"no filter rows", base, [](ir::Graph& g) { g.tensors[1].shape[1] = 0; }},
                 {"odd channels", base, [](ir::Graph& g) { g.tensors[0].shape[3] = 3; }},
             }) {
            list.push_back(refusal);
        }
    }
    list.push_back({"groups", convolution, [](ir::Graph& g) { g.tensors[0].shape[3] = 8; }});
    list.push_back({"depth multiplier", depthwise, option("depth_multiplier", 3)});
    list.push_back({"filter batch", depthwise, [](ir::Graph& g) {
                        g.tensors[1].shape = {2, 3, 3, 2};
                    }});
    list.push_back({"weights format", fully_connected, option("weights_format", 1)});
    list.push_back({"bias scale", fully_connected,
                    [](ir::Graph& g) { g.tensors[2].quantization.scales = {0.15F}; }});
    list.push_back({"depth", fully_connected, [](ir::Graph& g) { g.tensors[0].shape = {2, 4}; }});
    return list;
}

TEST(Refusals, TheBasesAreSupported) {
    EXPECT_EQ(convolution().reason(), "");
    EXPECT_EQ(depthwise().reason(), "");
    EXPECT_EQ(fully_connected().reason(), "");
}

TEST(Refusals, EveryChangeIsRefused) {
    for (const Refusal& refusal : refusals()) {
        OneOperator op = refusal.base();
        refusal.change(op.graph);
        EXPECT_NE(op.reason(), "") << op.graph.operators[0].type << ": " << refusal.what;
    }
}

TEST(Refusals, Views) {
    const Operand input{kInt8, {1, 3, 1}, 0.5F, 0, {}};
    const auto reshape = [&](std::vector<std::int32_t> sizes, ir::Shape shape) {
        const auto rank = static_cast<std::int32_t>(sizes.size());
        return OneOperator("RESHAPE", {input, test::integers({rank}, sizes)},
                           {kInt8, std::move(shape), 0.5F, 0, {}})
            .reason();
    };
    EXPECT_EQ(reshape({3, -1}, {3, 1}), "");
    EXPECT_EQ(reshape({1, 3}, {3, 1}), "");  // the stored shape decides
    EXPECT_NE(reshape({-1, -1}, {3, 1}), "");
    EXPECT_NE(reshape({-2, 3}, {3, 1}), "");
    EXPECT_NE(reshape({3, 2}, {3, 2}), "");
    const auto squeeze = [&](std::vector<std::int64_t> dimensions, ir::Shape shape) {
        ir::Attributes attributes;
        attributes.set("squeeze_dims", std::move(dimensions));
        return OneOperator("SQUEEZE", {input}, {kInt8, std::move(shape), 0.5F, 0, {}}, attributes)
            .reason();
    };
    EXPECT_EQ(squeeze({}, {3}), "");
    EXPECT_EQ(squeeze({0}, {3, 1}), "");
    EXPECT_EQ(squeeze({-1, 2}, {1, 3}), "");
    EXPECT_NE(squeeze({1}, {1, 1}), "");
    EXPECT_NE(squeeze({0}, {3}), "");
    EXPECT_NE(squeeze({3}, {3}), "");
    EXPECT_NE(squeeze({-4}, {3}), "");
    EXPECT_NE(squeeze({std::int64_t{1} << 40}, {3}), "");
    const auto expand = [&](std::vector<std::int32_t> axis, ir::Shape shape) {
        const auto count = static_cast<std::int32_t>(axis.size());
        return OneOperator("EXPAND_DIMS", {input, test::integers({count}, axis)},
                           {kInt8, std::move(shape), 0.5F, 0, {}})
            .reason();
    };
    EXPECT_EQ(expand({3}, {1, 3, 1, 1}), "");
    EXPECT_EQ(expand({-4}, {1, 1, 3, 1}), "");
    EXPECT_NE(expand({4}, {1, 3, 1, 1}), "");
    EXPECT_NE(expand({-5}, {1, 1, 3, 1}), "");
    EXPECT_NE(expand({0, 1}, {1, 1, 3, 1}), "");
    EXPECT_NE(expand({3}, {1, 1, 3, 1, 1}), "");
    OneOperator other("SQUEEZE", {input}, {ir::DataType::uint8, {3}, 0.5F, 0, {}});
    EXPECT_NE(other.reason(), "");
    OneOperator state("SQUEEZE", {input}, {kInt8, {3}, 0.5F, 0, {}});
    EXPECT_EQ(state.reason(), "");
    state.graph.tensors[0].variable = true;
    EXPECT_NE(state.reason(), "");
}

TEST(Registry, IsSortedAndComplete) {
    std::string_view before;
    for (const OperatorDefinition* definition : registry()) {
        EXPECT_LT(before, definition->type);
        before = definition->type;
        EXPECT_EQ(find(definition->type), definition);
        EXPECT_NE(definition->lower, nullptr);
        EXPECT_FALSE(definition->types.empty());
        EXPECT_FALSE(definition->constraints.empty());
        for (const Constraint& constraint : definition->constraints) {
            EXPECT_FALSE(constraint.sentence.empty()) << definition->type;
            EXPECT_FALSE(constraint.sentence.ends_with('.')) << definition->type;
        }
    }
    EXPECT_EQ(find("CONV"), nullptr);
    EXPECT_EQ(find(""), nullptr);
}

}  // namespace
}  // namespace ingot::ops
