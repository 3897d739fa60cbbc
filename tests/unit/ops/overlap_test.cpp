// The distances that kernels permit between an output and a dying input, proven by execution:
// every kernel runs over many shapes with its output exactly as close as is permitted, in poisoned
// memory, and must give what it gives with memory of its own; one step closer, it must fail for
// some shape.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "ir/types.h"
#include "one_operator.h"
#include "ops/constraints.h"
#include "ops/numerics.h"
#include "support/random.h"

namespace ingot::test {
namespace {

using ir::DataType;
using Bytes = std::vector<std::uint8_t>;
using program::Overlap;
using program::Program;

/// The same numbers everywhere.
class Random {
  public:
    std::int32_t pick(std::int32_t low, std::int32_t high) {
        return low + static_cast<std::int32_t>(generator_.next() %
                                               static_cast<std::uint64_t>(high - low + 1));
    }
    Bytes bytes(std::size_t count) {
        Bytes result(count);
        for (std::uint8_t& byte : result) byte = static_cast<std::uint8_t>(pick(0, 255));
        return result;
    }
    /// Elements of a tensor; reals between -16 and 16.
    Bytes elements(DataType type, std::size_t size) {
        if (type != DataType::float32) return bytes(size);
        std::vector<float> reals(size / sizeof(float));
        for (float& real : reals) real = static_cast<float>(pick(-4096, 4096)) / 256.0F;
        return to_bytes(reals);
    }

  private:
    support::SplitMix64 generator_{20261130};
};

std::int64_t element_size(const Program& program, program::TensorId id) {
    return static_cast<std::int64_t>(ir::bits(program.tensor(id).type) / 8);
}

/// Input and output in one arena, with `distance` bytes from the output's beginning to the
/// input's (negative: the other way round).
program::Layout overlapped(const Program& program, const Overlap& overlap, std::int64_t distance) {
    program::Layout layout = program::separate_layout(program);
    program::Place& input = layout.places[overlap.input];
    program::Place& output = layout.places[overlap.output];
    input = {output.arena, static_cast<std::size_t>(std::max<std::int64_t>(distance, 0))};
    output.offset = static_cast<std::size_t>(std::max<std::int64_t>(-distance, 0));
    layout.arena_sizes[output.arena] =
        std::max(input.offset + program.tensor(overlap.input).size,
                 output.offset + program.tensor(overlap.output).size);
    return layout;
}

/// What the program makes of its inputs in memory that is full of rubbish.
Bytes run(const Program& program, const program::Layout& layout,
          const std::map<program::TensorId, Bytes>& inputs) {
    program::Instance instance(program, layout);
    for (program::TensorId id = 0; id < program.tensors.size(); ++id) {
        if (program.tensor(id).role != program::Role::scratch) continue;
        const auto place = instance.bytes(id);
        std::fill(place.begin(), place.end(), std::uint8_t{0xA5});
    }
    for (const auto& [id, bytes] : inputs) {
        std::copy(bytes.begin(), bytes.end(), instance.bytes(id).begin());
    }
    EXPECT_EQ(instance.run(), 0);
    const auto output = instance.bytes(program.outputs.at(0));
    return {output.begin(), output.end()};
}

/// How often a kernel ran as close as permitted, and how often one step closer was wrong.
struct Tally {
    int shapes = 0;
    int wrong_when_closer = 0;
};

class Sweep {
  public:
    Random random;

    /// Runs a supported model in every direction and with every overlap that it permits, which
    /// must be `permissions`.
    void check(const OneOperator& model, std::size_t permissions = 1) {
        ASSERT_EQ(model.reason(), "");
        const Program program = ops::lower(model.graph, {});
        const program::Step& step = program.steps.at(0);
        ASSERT_EQ(step.overlaps.size(), permissions);
        std::map<program::TensorId, Bytes> inputs;
        for (const program::TensorId id : program.inputs) {
            const program::Tensor& tensor = program.tensor(id);
            inputs[id] = random.elements(tensor.type, tensor.size);
        }
        const Bytes expected = run(program, program::separate_layout(program), inputs);
        for (const Overlap& overlap : step.overlaps) {
            const std::string kernel = step.calls.at(0).kernel->name;
            check(program, overlap, inputs, expected, overlap.below, kernel + " forwards");
            if (!overlap.above) continue;
            Program backwards = program;
            program::run_backwards(backwards.steps[0]);
            ASSERT_EQ(run(backwards, program::separate_layout(backwards), inputs), expected);
            check(backwards, overlap, inputs, expected, *overlap.above, kernel + " backwards");
        }
    }

    /// By kernel and direction.
    std::map<std::string, Tally> tallies;

  private:
    void check(const Program& program, const Overlap& overlap,
               const std::map<program::TensorId, Bytes>& inputs, const Bytes& expected,
               std::int64_t least, const std::string& name) {
        const bool forwards = name.find(" forwards") != std::string::npos;
        // Elements are where they may be: bytes at every distance, others at every second.
        const std::int64_t unit =
            std::max(element_size(program, overlap.input), element_size(program, overlap.output));
        const std::int64_t steps = least >= 0 ? (least + unit - 1) / unit : -(-least / unit);
        const auto at = [&](std::int64_t distance) {
            return run(program, overlapped(program, overlap, forwards ? distance : -distance),
                       inputs);
        };
        ++tallies[name].shapes;
        ASSERT_EQ(at(steps * unit), expected) << name << " at " << steps * unit;
        if (at((steps - 1) * unit) != expected) ++tallies[name].wrong_when_closer;
    }
};

Operand int8(ir::Shape shape, float scale = 0.05F, std::int32_t zero_point = 3) {
    return {DataType::int8, std::move(shape), scale, zero_point, {}};
}

std::size_t elements(const ir::Shape& shape) {
    std::size_t product = 1;
    for (const std::int32_t size : shape) product *= static_cast<std::size_t>(size);
    return product;
}

Operand filter(Random& random, ir::Shape shape) {
    const std::size_t count = elements(shape);
    return {DataType::int8, std::move(shape), 0.02F, 0, random.bytes(count)};
}

/// Geometry of windows over random images.
struct Geometry {
    std::int32_t batches = 1;
    std::int32_t height = 1;
    std::int32_t width = 1;
    std::int32_t filter_height = 1;
    std::int32_t filter_width = 1;
    ir::Attributes options;
    ir::Shape output;  ///< batches, height, width

    explicit Geometry(Random& random, bool pool) {
        const bool dilates = !pool && random.pick(0, 2) == 0;
        const auto stride_h = random.pick(1, 3);
        const auto stride_w = random.pick(1, 3);
        const auto dilation_h = dilates ? random.pick(1, 4) : 1;
        const auto dilation_w = dilates ? random.pick(1, 4) : 1;
        const auto padding = random.pick(0, 1);
        std::optional<ops::Window> rows;
        std::optional<ops::Window> columns;
        while (!rows || !columns) {
            batches = random.pick(1, 2);
            height = random.pick(1, 9);
            width = random.pick(1, 9);
            filter_height = random.pick(1, 4);
            filter_width = random.pick(1, 4);
            rows = ops::window(padding, height, filter_height, stride_h, dilation_h);
            columns = ops::window(padding, width, filter_width, stride_w, dilation_w);
        }
        output = {batches, rows->output, columns->output};
        options = test::options({{"stride_h", stride_h},
                                 {"stride_w", stride_w},
                                 {"dilation_h_factor", dilation_h},
                                 {"dilation_w_factor", dilation_w},
                                 {"filter_height", filter_height},
                                 {"filter_width", filter_width},
                                 {"padding", padding}});
    }

    ir::Shape input_shape(std::int32_t channels) const {
        return {batches, height, width, channels};
    }
    ir::Shape output_shape(std::int32_t channels) const {
        ir::Shape shape = output;
        shape.push_back(channels);
        return shape;
    }
};

void expect_proven(const Sweep& sweep, const std::set<std::string>& kernels) {
    for (const std::string& kernel : kernels) {
        const auto found = sweep.tallies.find(kernel);
        ASSERT_NE(found, sweep.tallies.end()) << kernel << " did not run";
        EXPECT_GT(found->second.wrong_when_closer, 0) << kernel << " could be closer";
               found->second.shapes);
    }
    EXPECT_EQ(sweep.tallies.size(), kernels.size());
}

TEST(Overlap, OfConvolutions) {
    Sweep sweep;
    Random& random = sweep.random;
    for (int i = 0; i < 300; ++i) {
        Geometry geometry(random, false);
        const std::int32_t groups = random.pick(0, 2) == 0 ? random.pick(2, 4) : 1;
        const std::int32_t inputs = random.pick(1, 12 / groups);
        const std::int32_t outputs = groups * random.pick(1, 40 / groups);
        const ir::Shape weights = {outputs, geometry.filter_height, geometry.filter_width, inputs};
        sweep.check(OneOperator(
            "CONV_2D", {int8(geometry.input_shape(groups * inputs)), filter(random, weights)},
            int8(geometry.output_shape(outputs), 0.2F), geometry.options));
        if (HasFatalFailure()) return;
    }
    expect_proven(sweep, {"conv_2d_s8 forwards", "conv_2d_s8 backwards"});
}

TEST(Overlap, OfDepthwiseConvolutions) {
    Sweep sweep;
    Random& random = sweep.random;
    for (int i = 0; i < 300; ++i) {
        Geometry geometry(random, false);
        const std::int32_t multiplier = random.pick(0, 2) == 0 ? random.pick(2, 20) : 1;
        const std::int32_t inputs = random.pick(1, std::max(40 / multiplier, 3));
        geometry.options.set("depth_multiplier", std::int64_t{multiplier});
        const ir::Shape weights = {1, geometry.filter_height, geometry.filter_width,
                                   inputs * multiplier};
        sweep.check(OneOperator(
            "DEPTHWISE_CONV_2D", {int8(geometry.input_shape(inputs)), filter(random, weights)},
            int8(geometry.output_shape(inputs * multiplier), 0.1F), geometry.options));
        if (HasFatalFailure()) return;
    }
    expect_proven(sweep, {"depthwise_conv_2d_s8 forwards", "depthwise_conv_2d_s8 backwards"});
}

TEST(Overlap, OfPools) {
    Sweep sweep;
    Random& random = sweep.random;
    for (int i = 0; i < 300; ++i) {
        Geometry geometry(random, true);
        const std::int32_t channels = random.pick(1, 40);
        for (const char* type : {"AVERAGE_POOL_2D", "MAX_POOL_2D"}) {
            sweep.check(OneOperator(type, {int8(geometry.input_shape(channels))},
                                    int8(geometry.output_shape(channels)), geometry.options));
            if (HasFatalFailure()) return;
        }
    }
    expect_proven(sweep, {"average_pool_2d_s8 forwards", "average_pool_2d_s8 backwards",
                          "max_pool_2d_s8 forwards", "max_pool_2d_s8 backwards"});
}

TEST(Overlap, OfFullyConnectedLayers) {
    Sweep sweep;
    Random& random = sweep.random;
    for (int i = 0; i < 100; ++i) {
        const std::int32_t batches = random.pick(1, 5);
        const std::int32_t depth = random.pick(1, 40);
        const std::int32_t outputs = random.pick(1, 40);
        Operand weights = filter(random, {outputs, depth});
        const Operand input = int8({batches, depth});
        const Operand output = int8({batches, outputs}, 0.2F);
        sweep.check(OneOperator("FULLY_CONNECTED", {input, weights}, output));
        OneOperator packed("FULLY_CONNECTED", {input, weights}, output);
        ir::Quantization& channels = packed.graph.tensors[1].quantization;
        channels.scales.resize(static_cast<std::size_t>(outputs), 0.02F);
        channels.zero_points.resize(static_cast<std::size_t>(outputs), 0);
        if (outputs > 1) sweep.check(packed);
        if (HasFatalFailure()) return;
    }
    // With weights made at run time it is a convolution.
    OneOperator made("FULLY_CONNECTED", {int8({3, 7}), int8({5, 7}, 0.02F, 0)}, int8({3, 5}));
    made.graph.tensors[1].quantization.scales.resize(5, 0.02F);
    made.graph.tensors[1].quantization.zero_points.resize(5, 0);
    sweep.check(made);
    expect_proven(sweep, {"fully_connected_s8 forwards", "fc_per_channel_packed_s8 forwards",
                          "conv_2d_s8 forwards", "conv_2d_s8 backwards"});
}

}  // namespace
}  // namespace ingot::test
