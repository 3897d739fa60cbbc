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

constexpr float kScale = 0.05F;

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
    /// Elements of a tensor. Reals lie where rounding to a code turns, and wide codes are small, so
    /// that every byte counts.
    Bytes elements(DataType type, std::size_t size) {
        if (type == DataType::float32) return to_bytes(drawn<float>(size, 0.5F, kScale));
        if (type == DataType::int32) return to_bytes(drawn<std::int32_t>(size, 0, 1));
        if (type == DataType::int16) return to_bytes(drawn<std::int16_t>(size, 0, 1));
        return bytes(size);
    }

  private:
    template <typename Element>
    std::vector<Element> drawn(std::size_t size, Element more, Element factor) {
        std::vector<Element> result(size / sizeof(Element));
        for (Element& element : result) {
            element = static_cast<Element>((static_cast<Element>(pick(-100, 100)) + more) * factor);
        }
        return result;
    }

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
        const std::int64_t sign = name.find(" forwards") != std::string::npos ? 1 : -1;
        // The one that is not at the arena's beginning must be aligned to its elements.
        const auto fits = [&](std::int64_t distance) {
            const auto above = distance * sign > 0 ? overlap.input : overlap.output;
            return distance % element_size(program, above) == 0;
        };
        const auto at = [&](std::int64_t distance) {
            return run(program, overlapped(program, overlap, distance * sign), inputs);
        };
        while (!fits(least)) ++least;
        ++tallies[name].shapes;
        ASSERT_EQ(at(least), expected) << name << " at " << least;
        do --least;
        while (!fits(least));
        if (at(least) != expected) ++tallies[name].wrong_when_closer;
    }
};

Operand int8(ir::Shape shape, float scale = kScale, std::int32_t zero_point = 3) {
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

/// Every one of `kernels` ran, nothing else did, and none could be closer.
void expect_proven(const Sweep& sweep, const std::set<std::string>& kernels) {
    std::set<std::string> ran;
    for (const auto& [kernel, tally] : sweep.tallies) {
        ran.insert(kernel);
        EXPECT_GT(tally.wrong_when_closer, tally.shapes / 5) << kernel << " could be closer";
    }
    EXPECT_EQ(ran, kernels);
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

TEST(Overlap, OfElementsOfOneInput) {
    Sweep sweep;
    for (int i = 0; i < 40; ++i) {
        const ir::Shape shape = {sweep.random.pick(2, 3), sweep.random.pick(1, 20)};
        sweep.check(OneOperator("LOGISTIC", {int8(shape)}, int8(shape, 1.0F / 256.0F, -128)));
        sweep.check(OneOperator("RELU", {int8(shape)}, int8(shape, 0.04F)));
        sweep.check(OneOperator("RELU6", {int8(shape)}, int8(shape)));
        ir::Attributes beta;
        beta.set("beta", 1.0);
        sweep.check(OneOperator("SOFTMAX", {int8(shape)}, int8(shape, 1.0F / 256.0F, -128), beta));
        const Operand wide{DataType::int16, shape, 1.0F / 65536.0F, -32768, {}};
        sweep.check(OneOperator("SOFTMAX", {int8(shape)}, wide, beta));
        if (HasFatalFailure()) return;
    }
    expect_proven(sweep, {"lut_s8 forwards", "requantize_s8_s8 forwards", "clamp_s8 forwards",
                          "softmax_s8 forwards", "softmax_s8_s16 forwards"});
}

// Where neither type is a character's, C lets a compiler assume that a store of one changes no
// element of the other, and move it before a load.
TEST(Overlap, OfConversionsNeedsACharacterType) {
    Sweep sweep;
    struct Pair {
        DataType input;
        DataType output;
        std::size_t permissions;
    };
    const auto float32 = DataType::float32;
    const auto int32 = DataType::int32;
    const auto int16 = DataType::int16;
    const auto int8 = DataType::int8;
    const auto uint8 = DataType::uint8;
    const std::vector<Pair> pairs = {{float32, int8, 1}, {float32, int16, 0}, {float32, uint8, 1},
                                     {int8, int8, 1},    {int8, int16, 1},    {int8, int32, 1},
                                     {int8, uint8, 1},   {int16, int8, 1},    {int16, int16, 1},
                                     {int16, int32, 0},  {int32, int8, 1},    {int32, int16, 0},
                                     {uint8, int8, 1},   {uint8, int16, 1},   {uint8, uint8, 1}};
    for (int i = 0; i < 20; ++i) {
        const ir::Shape shape = {sweep.random.pick(2, 40)};
        const auto operand = [&](DataType type, float scale) {
            return Operand{
                type, shape, type == float32 ? 0.0F : scale, type == uint8 ? 100 : 0, {}};
        };
        for (const Pair& pair : pairs) {
            sweep.check(OneOperator("QUANTIZE", {operand(pair.input, kScale)},
                                    operand(pair.output, pair.input == float32 ? kScale : 0.04F)),
                        pair.permissions);
        }
        for (const DataType type : {int8, int16, uint8}) {
            sweep.check(OneOperator("DEQUANTIZE", {operand(type, kScale)}, operand(float32, 0.0F)),
                        type == int16 ? 0 : 1);
        }
        if (HasFatalFailure()) return;
    }
    expect_proven(
        sweep,
        {"quantize_f32_s8 forwards", "quantize_f32_u8 forwards", "requantize_s8_s8 forwards",
         "requantize_s8_s16 forwards", "requantize_s8_s32 forwards", "requantize_s8_u8 forwards",
         "requantize_s16_s8 forwards", "requantize_s16_s16 forwards", "requantize_s32_s8 forwards",
         "requantize_u8_s8 forwards", "requantize_u8_s16 forwards", "requantize_u8_u8 forwards",
         "dequantize_s8_f32 forwards", "dequantize_u8_f32 forwards"});
}

/// The shape with some dimensions set to 1, or cut off in front.
ir::Shape repeated(Random& random, ir::Shape shape) {
    for (std::int32_t& size : shape) size = random.pick(0, 1) == 0 ? size : 1;
    shape.erase(shape.begin(), shape.begin() + random.pick(0, 1));
    return shape;
}

TEST(Overlap, OfBroadcastOperands) {
    Sweep sweep;
    for (int i = 0; i < 100; ++i) {
        const ir::Shape shape = {sweep.random.pick(2, 3), sweep.random.pick(1, 4),
                                 sweep.random.pick(1, 9)};
        const ir::Shape other = i % 2 == 0 ? shape : repeated(sweep.random, shape);
        for (const char* type : {"ADD", "SUB", "MUL"}) {
            const Operand output = int8(shape, 0.1F);
            sweep.check(OneOperator(type, {int8(shape), int8(other, 0.04F)}, output), 2);
            sweep.check(OneOperator(type, {int8(other), int8(shape, 0.04F)}, output), 2);
            OneOperator same(type, {int8(shape), int8(shape)}, output);
            same.graph.operators[0].inputs[1] = same.graph.operators[0].inputs[0];
            same.graph.inputs.pop_back();
            sweep.check(same);
            if (HasFatalFailure()) return;
        }
    }
    expect_proven(sweep, {"add_s8 forwards", "mul_s8 forwards"});
}

TEST(Overlap, OfMeans) {
    Sweep sweep;
    for (int i = 0; i < 100; ++i) {
        const ir::Shape shape = {sweep.random.pick(1, 3), sweep.random.pick(1, 5),
                                 sweep.random.pick(1, 5), sweep.random.pick(2, 12)};
        const std::int32_t axis = sweep.random.pick(0, 2);
        ir::Shape output = shape;
        output.erase(output.begin() + axis);
        sweep.check(OneOperator("MEAN", {int8(shape), integers({1}, {axis})}, int8(output, 0.02F)));
        if (HasFatalFailure()) return;
    }
    expect_proven(sweep, {"mean_s8 forwards"});
}

TEST(Overlap, OfPadding) {
    Sweep sweep;
    for (int i = 0; i < 100; ++i) {
        ir::Shape input;
        ir::Shape output;
        std::vector<std::int32_t> paddings;
        for (int d = 0; d < 4; ++d) {
            const std::int32_t before = sweep.random.pick(0, 2);
            const std::int32_t after = sweep.random.pick(0, 2);
            input.push_back(sweep.random.pick(1, 4));
            output.push_back(before + input.back() + after);
            paddings.insert(paddings.end(), {before, after});
        }
        for (const DataType type : {DataType::int8, DataType::int16, DataType::float32}) {
            const float scale = type == DataType::float32 ? 0.0F : kScale;
            const Operand source{type, input, scale, 0, {}};
            const Operand target{type, output, scale, 0, {}};
            const Operand value{type, {}, scale, 0, {}};
            sweep.check(OneOperator("PAD", {source, integers({4, 2}, paddings)}, target));
            sweep.check(OneOperator("PADV2", {source, integers({4, 2}, paddings), value}, target));
            if (HasFatalFailure()) return;
        }
    }
    expect_proven(sweep, {"pad forwards"});
}

TEST(Overlap, OfConcatenations) {
    Sweep sweep;
    for (int i = 0; i < 100; ++i) {
        const auto axis = static_cast<std::size_t>(sweep.random.pick(0, 2));
        const ir::Shape shape = {sweep.random.pick(1, 4), sweep.random.pick(1, 4),
                                 sweep.random.pick(1, 4)};
        ir::Shape output = shape;
        output[axis] = 0;
        std::vector<Operand> inputs;
        for (int j = 0; j < 3; ++j) {
            inputs.push_back(int8(shape));
            inputs.back().shape[axis] = sweep.random.pick(1, 6);
            output[axis] += inputs.back().shape[axis];
        }
        const ir::Attributes options = test::options({{"axis", static_cast<std::int64_t>(axis)}});
        sweep.check(OneOperator("CONCATENATION", inputs, int8(output), options), 3);
        // The first and the last input are the same tensor.
        output[axis] += inputs[0].shape[axis] - inputs[2].shape[axis];
        inputs[2] = inputs[0];
        OneOperator twice("CONCATENATION", inputs, int8(output), options);
        twice.graph.operators[0].inputs[2] = twice.graph.operators[0].inputs[0];
        twice.graph.inputs.pop_back();
        sweep.check(twice, 2);
        if (HasFatalFailure()) return;
    }
    expect_proven(sweep, {"copy_rows forwards"});
}

TEST(Overlap, OfSvdf) {
    Sweep sweep;
    Random& random = sweep.random;
    for (int i = 0; i < 40; ++i) {
        const std::int32_t batches = random.pick(1, 3);
        const std::int32_t size = random.pick(1, 12);
        const std::int32_t rank = random.pick(1, 2);
        const std::int32_t units = random.pick(2, 8);
        const std::int32_t filters = units * rank;
        const std::int32_t memory = random.pick(1, 4);
        for (const DataType type : {DataType::int8, DataType::int16}) {
            Operand times = filter(random, {filters, memory});
            times.type = type;
            if (type == DataType::int16) times.bytes = random.bytes(2 * times.bytes.size());
            const Operand state{type, {batches, filters * memory}, 0.1F, 0, {}, true};
            const Operand bias{DataType::int32, {units}, 0.002F, 0, Bytes(4 * elements({units}))};
            sweep.check(OneOperator(
                "SVDF",
                {int8({batches, size}), filter(random, {filters, size}), times, bias, state},
                int8({batches, units}, type == DataType::int8 ? 0.1F : 20.0F),
                options({{"rank", rank}})));
            if (HasFatalFailure()) return;
        }
    }
    expect_proven(sweep, {"svdf_s8 forwards", "svdf_s8_s16 forwards"});
}

// A tensor that is read in a second way dies only with that.
TEST(Overlap, IsNotPermittedOverAnInputThatIsTheFilterToo) {
    OneOperator model("CONV_2D", {int8({2, 1, 1, 2}), int8({2, 1, 1, 2}, 0.02F, 0)},
                      int8({2, 1, 1, 2}),
                      options({{"stride_h", 1},
                               {"stride_w", 1},
                               {"dilation_h_factor", 1},
                               {"dilation_w_factor", 1}}));
    EXPECT_EQ(ops::lower(model.graph, {}).steps.at(0).overlaps.size(), 1U);
    model.graph.operators[0].inputs[1] = model.graph.operators[0].inputs[0];
    model.graph.tensors[0].quantization = model.graph.tensors[1].quantization;
    ASSERT_EQ(model.reason(), "");
    EXPECT_TRUE(ops::lower(model.graph, {}).steps.at(0).overlaps.empty());
}

}  // namespace
}  // namespace ingot::test
