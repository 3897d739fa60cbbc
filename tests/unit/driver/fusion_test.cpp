// Fused graphs compute what the unfused ones do: padding in front of convolutions, pools and
// padding, over random shapes, codes, strides and dilations; clamps over every code.
#include <gtest/gtest.h>

#include <random>

#include "ops/operator.h"
#include "passes/pass.h"
#include "program/execute.h"
#include "unit/ops/one_operator.h"

namespace ingot {
namespace {

using Random = std::mt19937;
using Bytes = std::vector<std::uint8_t>;

int pick(Random& random, int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
}

ir::TensorIndex add_tensor(ir::Graph& graph, ir::Shape shape, int zero_point) {
    ir::Tensor tensor;
    tensor.type = ir::DataType::int8;
    tensor.shape = std::move(shape);
    tensor.quantization = {{0.5F}, {zero_point}, 0};
    graph.tensors.push_back(std::move(tensor));
    return static_cast<ir::TensorIndex>(graph.tensors.size() - 1);
}

void add_operator(ir::Graph& graph, const char* type, std::vector<ir::TensorIndex> inputs,
                  ir::TensorIndex output, const ir::Attributes& options) {
    ir::Operator op;
    op.type = type;
    op.index = static_cast<std::int32_t>(graph.operators.size());
    op.inputs = std::move(inputs);
    op.outputs = {output};
    op.has_options = true;
    op.attributes = options;
    graph.operators.push_back(std::move(op));
}

/// Runs on random codes; with kEveryPair two inputs of 65536 codes have every pair of them.
constexpr unsigned kEveryPair = 0xffffffffU;

Bytes run(const ir::Graph& graph, unsigned seed) {
    const program::Program program = ops::lower(graph, {});
    program::Instance instance(program, program::separate_layout(program));
    Random random(seed);
    for (std::size_t n = 0; n < program.inputs.size(); ++n) {
        const auto bytes = instance.bytes(program.inputs[n]);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const std::size_t pair = n == 0 ? i / 256 : i % 256;
            bytes[i] = static_cast<std::uint8_t>(seed == kEveryPair ? pair : random());
        }
    }
    EXPECT_EQ(instance.run(), 0);
    const auto bytes = instance.bytes(program.outputs.at(0));
    return {bytes.begin(), bytes.end()};
}

/// Fuses; the number of operators that went.
std::size_t fuse(ir::Graph& graph, const std::string& name) {
    std::map<std::string, bool> enabled;
    for (const passes::Pass* pass : passes::registry()) {
        enabled[std::string(pass->name)] = pass->name == name;
    }
    const std::size_t before = graph.operators.size();
    passes::run(graph, enabled, {});
    return before - graph.operators.size();
}

/// One or two paddings of an image, and a window over it; nothing when there is no output.
std::optional<ir::Graph> padded_windows(Random& random, const std::string& type) {
    ir::Graph graph;
    const int zero = pick(random, -5, 5);
    ir::Shape shape = {pick(random, 1, 2), pick(random, 1, 6), pick(random, 1, 6), 3};
    ir::TensorIndex image = add_tensor(graph, shape, zero);
    graph.inputs = {image};
    const bool pool = type == "AVERAGE_POOL_2D" || type == "MAX_POOL_2D";
    const int code = pool ? pick(random, -128, 127) : zero;
    for (int n = pick(random, 1, 2); n > 0; --n) {
        const std::vector<std::int32_t> amounts = {
            0, 0, pick(random, 0, 3), pick(random, 0, 3), pick(random, 0, 3), pick(random, 0, 3),
            0, 0};
        for (std::size_t i = 0; i < 4; ++i) shape[i] += amounts[2 * i] + amounts[2 * i + 1];
        const ir::TensorIndex paddings = add_tensor(graph, {4, 2}, 0);
        graph.tensor(paddings).type = ir::DataType::int32;
        graph.tensor(paddings).constant = true;
        graph.tensor(paddings).data = test::to_bytes(amounts);
        const ir::TensorIndex value = add_tensor(graph, {1}, zero);
        graph.tensor(value).constant = true;
        graph.tensor(value).data = {static_cast<std::uint8_t>(code)};
        const ir::TensorIndex wider = add_tensor(graph, shape, zero);
        add_operator(graph, "PADV2", {image, paddings, value}, wider, {});
        image = wider;
    }
    const int height = pick(random, 1, 4);
    const int width = pick(random, 1, 4);
    const int stride = pick(random, 1, 3);
    const int dilation = pool ? 1 : pick(random, 1, 2);
    const int padding = pick(random, 0, 1);
    const auto length = [&](std::int32_t size, int taps) {
        const int reach = (taps - 1) * dilation + 1;
        return padding == 0 ? (size + stride - 1) / stride : (size - reach + stride) / stride;
    };
    const bool depthwise = type == "DEPTHWISE_CONV_2D";
    const ir::Shape output = {shape[0], length(shape[1], height), length(shape[2], width), 3};
    if (output[1] < 1 || output[2] < 1) return std::nullopt;
    std::vector<ir::TensorIndex> inputs = {image};
    if (!pool) {
        inputs.push_back(add_tensor(graph, {depthwise ? 1 : 3, height, width, 3}, 0));
        ir::Tensor& filter = graph.tensor(inputs.back());
        filter.constant = true;
        for (std::size_t i = 0; i < filter.bytes(); ++i) {
            filter.data.push_back(static_cast<std::uint8_t>(random()));
        }
    }
    const ir::TensorIndex result = add_tensor(graph, output, zero);
    if (!pool) graph.tensor(result).quantization = {{40.0F}, {1}, 0};
    graph.outputs = {result};
    add_operator(graph, type.c_str(), inputs, result,
                 test::options({{"padding", padding},
                                {"stride_h", stride},
                                {"stride_w", stride},
                                {"filter_height", height},
                                {"filter_width", width},
                                {"dilation_h_factor", dilation},
                                {"dilation_w_factor", dilation},
                                {"depth_multiplier", 1},
                                {"fused_activation_function", 0}}));
    return graph;
}

class FusePad : public ::testing::TestWithParam<const char*> {};

TEST_P(FusePad, ComputesTheSame) {
    std::size_t fused = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        const auto graph = padded_windows(random, GetParam());
        if (!graph) continue;
        ir::Graph less = *graph;
        fused += fuse(less, "fuse-pad");
        EXPECT_EQ(run(less, seed), run(*graph, seed));
    }
    EXPECT_GT(fused, 200U);
}

INSTANTIATE_TEST_SUITE_P(All, FusePad,
                         ::testing::Values("CONV_2D", "DEPTHWISE_CONV_2D", "AVERAGE_POOL_2D",
                                           "MAX_POOL_2D"),
                         [](const auto& test) { return std::string(test.param); });

TEST(FuseActivation, ComputesTheSameForEveryPairOfCodes) {
    for (const char* clamp : {"RELU", "RELU6"}) {
        for (const char* type : {"ADD", "SUB", "MUL"}) {
            for (const int zero : {-128, -3, 90, 127}) {
                SCOPED_TRACE(std::string(type) + clamp + std::to_string(zero));
                ir::Graph graph;
                graph.inputs = {add_tensor(graph, {256, 256}, 2),
                                add_tensor(graph, {256, 256}, -7)};
                const ir::TensorIndex sum = add_tensor(graph, {256, 256}, zero);
                graph.outputs = {add_tensor(graph, {256, 256}, zero)};
                add_operator(graph, type, graph.inputs, sum,
                             test::options({{"fused_activation_function", 0}}));
                add_operator(graph, clamp, {sum}, graph.outputs[0], {});
                ir::Graph less = graph;
                EXPECT_EQ(fuse(less, "fuse-activation"), 1U);
                EXPECT_EQ(run(less, kEveryPair), run(graph, kEveryPair));
                graph.tensor(graph.outputs[0]).quantization.scales = {0.25F};
                EXPECT_EQ(fuse(graph, "fuse-activation"), 0U) << "another scale";
            }
        }
    }
}

}  // namespace
}  // namespace ingot
