// CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED against their definitions, over many shapes.
#include "ops/weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "unit/ops/one_operator.h"

namespace ingot::ops {
namespace {

using test::OneOperator;
using test::Operand;

/// What the parameters of a random case are drawn from; the same numbers on every machine.
class Random {
  public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}

    /// low..high, both inclusive.
    std::int32_t number(std::int32_t low, std::int32_t high) {
        const auto width = static_cast<std::uint32_t>(high - low) + 1U;
        return low + static_cast<std::int32_t>(engine_() % width);
    }
    bool coin() { return number(0, 1) == 1; }
    std::vector<std::int8_t> codes(std::int64_t count) {
        std::vector<std::int8_t> result(static_cast<std::size_t>(count));
        for (auto& code : result) code = static_cast<std::int8_t>(number(-128, 127));
        return result;
    }
    std::vector<std::int32_t> numbers(std::int64_t count, std::int32_t size) {
        std::vector<std::int32_t> result(static_cast<std::size_t>(count));
        for (auto& value : result) value = number(-size, size);
        return result;
    }

  private:
    std::mt19937 engine_;
};

/// A convolution or fully connected layer with its operands' numbers.
struct Case {
    std::string type;
    Operand input, filter, bias, output;
    std::vector<std::pair<std::string, std::int64_t>> options;
    bool has_bias = true;
    bool constant_filter = true;
    bool constant_bias = true;
    std::vector<float> filter_scales;
    std::int32_t filter_axis = 0;
    std::vector<std::int8_t> x, w;
    std::vector<std::int32_t> b;

    OneOperator build() const {
        std::vector<Operand> operands = {input, filter};
        if (constant_filter) operands[1].bytes = test::to_bytes(w);
        if (has_bias) operands.push_back(bias);
        if (has_bias && constant_bias) operands[2].bytes = test::to_bytes(b);
        OneOperator op(type, operands, output, test::options(options));
        op.graph.tensors[1].quantization = {
            filter_scales, std::vector<std::int32_t>(filter_scales.size(), filter.zero_point),
            filter_axis};
        return op;
    }

    std::vector<std::int8_t> run() const {
        const OneOperator op = build();
        EXPECT_EQ(op.reason(), "");
        const program::Program program = lower(op.graph, {});
        program::Instance instance(program, program::separate_layout(program));
        std::size_t next = 0;
        const auto set = [&](const std::vector<std::uint8_t>& bytes) {
            std::copy(bytes.begin(), bytes.end(),
                      instance.bytes(program.inputs.at(next++)).begin());
        };
        set(test::to_bytes(x));
        if (!constant_filter) set(test::to_bytes(w));
        if (has_bias && !constant_bias) set(test::to_bytes(b));
        EXPECT_EQ(instance.run(), 0);
        const auto bytes = instance.bytes(program.outputs.at(0));
        std::vector<std::int8_t> result(bytes.size());
        std::memcpy(result.data(), bytes.data(), bytes.size());
        return result;
    }

    /// The output code of an accumulator, which is reduced to 32 bits.
    std::int8_t code(std::int64_t acc, std::size_t channel) const {
        const float scale = filter_scales.size() == 1 ? filter_scales[0] : filter_scales[channel];
        const double real = static_cast<double>(input.scale) * static_cast<double>(scale) /
                            static_cast<double>(output.scale);
        const auto wrapped = static_cast<std::int32_t>(static_cast<std::uint32_t>(acc));
        const std::int64_t scaled =
            multiply_by_quantized_multiplier(wrapped, quantize_multiplier(real));
        const CodeRange range = *activation_range(options.front().second, ir::DataType::int8,
                                                  {{output.scale}, {output.zero_point}, 0});
        return static_cast<std::int8_t>(
            std::clamp<std::int64_t>(scaled + output.zero_point, range.low, range.high));
    }
};

Operand activation(ir::Shape shape, float scale, std::int32_t zero_point) {
    return {ir::DataType::int8, std::move(shape), scale, zero_point, {}};
}

std::int64_t count(const ir::Shape& shape) {
    return *ir::element_count(shape);
}

/// Scales around the one that spreads a sum of `terms` products over the codes.
std::vector<float> random_scales(Random& random, std::int32_t channels, double terms) {
    const bool per_channel = random.coin() && channels > 1;
    std::vector<float> scales(static_cast<std::size_t>(per_channel ? channels : 1));
    for (float& scale : scales) {
        scale = static_cast<float>(random.number(50, 300)) /
                static_cast<float>(20000.0 * std::sqrt(terms));
    }
    return scales;
}

/// Where tap `i` of window `o` lies; -1 outside of the input.
std::int32_t position(std::int32_t o, std::int32_t i, std::int32_t stride, std::int32_t dilation,
                      const Window& window, std::int32_t size) {
    const std::int32_t at = o * stride - window.pad_before + i * dilation;
    return at >= 0 && at < size ? at : -1;
}

struct Image {
    std::int32_t batches, height, width, channels, filter_height, filter_width, stride_height,
        stride_width, dilation_height, dilation_width;
    std::int64_t padding;

    explicit Image(Random& random)
        : batches(random.number(1, 2)),
          height(random.number(1, 7)),
          width(random.number(1, 7)),
          channels(random.number(1, 5)),
          filter_height(random.number(1, 4)),
          filter_width(random.number(1, 4)),
          stride_height(random.number(1, 3)),
          stride_width(random.number(1, 3)),
          dilation_height(random.number(1, 2)),
          dilation_width(random.number(1, 2)),
          padding(random.number(0, 1)) {}

    std::optional<Window> rows() const {
        return window(padding, height, filter_height, stride_height, dilation_height);
    }
    std::optional<Window> columns() const {
        return window(padding, width, filter_width, stride_width, dilation_width);
    }
    std::vector<std::pair<std::string, std::int64_t>> options(std::int64_t activation) const {
        return {{"fused_activation_function", activation},
                {"padding", padding},
                {"stride_h", stride_height},
                {"stride_w", stride_width},
                {"dilation_h_factor", dilation_height},
                {"dilation_w_factor", dilation_width}};
    }
    /// Calls `visit(input pixel, filter tap)` for every tap of a window inside of the input.
    template <typename Visit>
    void taps(std::int32_t batch, std::int32_t y, std::int32_t x, Visit visit) const {
        for (std::int32_t ky = 0; ky < filter_height; ++ky) {
            for (std::int32_t kx = 0; kx < filter_width; ++kx) {
                const auto row = position(y, ky, stride_height, dilation_height, *rows(), height);
                const auto column =
                    position(x, kx, stride_width, dilation_width, *columns(), width);
                if (row < 0 || column < 0) continue;
                visit(static_cast<std::size_t>((batch * height + row) * width + column),
                      static_cast<std::size_t>(ky * filter_width + kx));
            }
        }
    }
};

/// Draws what a layer with `channels` outputs of `terms` products has beside its shapes.
void draw_numbers(Case& c, Random& random, std::int32_t channels, std::int64_t terms) {
    c.filter_scales = random_scales(random, channels, static_cast<double>(terms));
    c.has_bias = random.number(0, 3) > 0;
    c.constant_filter = random.number(0, 3) > 0;
    c.constant_bias = random.number(0, 3) > 0;
    c.bias = {ir::DataType::int32, {channels}, 0.0F, 0, {}};
    c.x = random.codes(count(c.input.shape));
    c.w = random.codes(count(c.filter.shape));
    c.b = random.numbers(channels, 3000);
}

TEST(Conv2d, IsItsDefinition) {
    Random random(1);
    int compared = 0;
    std::set<std::int8_t> seen;  // that the cases use the whole range of codes
    for (int n = 0; n < 400; ++n) {
        const Image image(random);
        const std::int32_t groups = random.number(1, 3);
        const std::int32_t group_outputs = random.number(1, 3);
        const std::int32_t channels = groups * group_outputs;
        if (!image.rows() || !image.columns()) continue;
        Case c;
        c.type = "CONV_2D";
        c.options = image.options(random.number(0, 3));
        c.input = activation({image.batches, image.height, image.width, image.channels * groups},
                             0.05F, random.number(-128, 127));
        c.filter = activation({channels, image.filter_height, image.filter_width, image.channels},
                              0.01F, random.number(-5, 5));  // the zero point does not count
        c.output =
            activation({image.batches, image.rows()->output, image.columns()->output, channels},
                       0.07F, random.number(-128, 127));
        draw_numbers(c, random, channels, count(c.filter.shape) / channels);
        std::vector<std::int8_t> expected;
        for (std::int64_t at = 0; at < count(c.output.shape); ++at) {
            const auto o = static_cast<std::int32_t>(at % channels);
            const auto pixel = static_cast<std::int32_t>(at / channels);
            const std::int32_t columns = image.columns()->output;
            std::int64_t acc = c.has_bias ? c.b[static_cast<std::size_t>(o)] : 0;
            image.taps(
                pixel / columns / image.rows()->output, pixel / columns % image.rows()->output,
                pixel % columns, [&](std::size_t input_pixel, std::size_t tap) {
                    for (std::int32_t i = 0; i < image.channels; ++i) {
                        const auto from =
                            input_pixel * static_cast<std::size_t>(image.channels * groups) +
                            static_cast<std::size_t>(o / group_outputs * image.channels + i);
                        const auto weight = (static_cast<std::size_t>(o * image.filter_height *
                                                                      image.filter_width) +
                                             tap) *
                                                static_cast<std::size_t>(image.channels) +
                                            static_cast<std::size_t>(i);
                        acc += c.w[weight] * (c.x[from] - c.input.zero_point);
                    }
                });
            expected.push_back(c.code(acc, static_cast<std::size_t>(o)));
        }
        ASSERT_EQ(c.run(), expected) << "case " << n;
        seen.insert(expected.begin(), expected.end());
        ++compared;
    }
    EXPECT_GT(compared, 200);
    EXPECT_EQ(seen.size(), 256U);
}

TEST(DepthwiseConv2d, IsItsDefinition) {
    Random random(2);
    int compared = 0;
    std::set<std::int8_t> seen;  // that the cases use the whole range of codes
    for (int n = 0; n < 400; ++n) {
        Image image(random);
        if (random.number(0, 3) == 0) image.channels = random.number(15, 35);
        if (!image.rows() || !image.columns()) continue;
        const std::int32_t multiplier = random.number(1, 4);
        const std::int32_t channels = image.channels * multiplier;
        Case c;
        c.type = "DEPTHWISE_CONV_2D";
        c.options = image.options(random.number(0, 3));
        c.options.emplace_back("depth_multiplier", multiplier);
        c.input = activation({image.batches, image.height, image.width, image.channels}, 0.05F,
                             random.number(-128, 127));
        c.filter = activation({1, image.filter_height, image.filter_width, channels}, 0.01F, 0);
        c.filter_axis = 3;
        c.output =
            activation({image.batches, image.rows()->output, image.columns()->output, channels},
                       0.07F, random.number(-128, 127));
        draw_numbers(c, random, channels, count(c.filter.shape) / channels);
        std::vector<std::int8_t> expected;
        for (std::int64_t at = 0; at < count(c.output.shape); ++at) {
            const auto o = static_cast<std::size_t>(at % channels);
            const auto pixel = static_cast<std::int32_t>(at / channels);
            const std::int32_t columns = image.columns()->output;
            std::int64_t acc = c.has_bias ? c.b[o] : 0;
            image.taps(
                pixel / columns / image.rows()->output, pixel / columns % image.rows()->output,
                pixel % columns, [&](std::size_t input_pixel, std::size_t tap) {
                    const auto from = input_pixel * static_cast<std::size_t>(image.channels) +
                                      o / static_cast<std::size_t>(multiplier);
                    acc += c.w[tap * static_cast<std::size_t>(channels) + o] *
                           (c.x[from] - c.input.zero_point);
                });
            expected.push_back(c.code(acc, o));
        }
        ASSERT_EQ(c.run(), expected) << "case " << n;
        seen.insert(expected.begin(), expected.end());
        ++compared;
    }
    EXPECT_GT(compared, 200);
    EXPECT_EQ(seen.size(), 256U);
}

TEST(FullyConnected, IsItsDefinition) {
    Random random(3);
    for (int n = 0; n < 300; ++n) {
        const std::int32_t batches = random.number(1, 3);
        const std::int32_t depth = random.number(1, 40);
        const std::int32_t outputs = random.number(1, 9);
        Case c;
        c.type = "FULLY_CONNECTED";
        c.options = {{"fused_activation_function", random.number(0, 3)}};
        c.input = activation({batches, depth, 1}, 0.05F, random.number(-128, 127));
        c.filter = activation({outputs, depth}, 0.01F, 0);
        c.output = activation({batches, outputs}, 0.07F, random.number(-128, 127));
        draw_numbers(c, random, outputs, depth);
        const bool per_tensor = c.filter_scales.size() == 1;
        // Honoured for one scale, of no effect for more, as in the reference.
        c.filter.zero_point = random.number(-9, 9);
        const std::int32_t filter_zero_point = per_tensor ? c.filter.zero_point : 0;
        if (per_tensor) c.bias.scale = c.input.scale * c.filter_scales[0];
        std::vector<std::int8_t> expected;
        for (std::int32_t at = 0; at < batches * outputs; ++at) {
            const std::int32_t o = at % outputs;
            std::int64_t acc = c.has_bias ? c.b[static_cast<std::size_t>(o)] : 0;
            for (std::int32_t i = 0; i < depth; ++i) {
                acc +=
                    (c.w[static_cast<std::size_t>(o * depth + i)] - filter_zero_point) *
                    (c.x[static_cast<std::size_t>(at / outputs * depth + i)] - c.input.zero_point);
            }
            expected.push_back(c.code(acc, static_cast<std::size_t>(o)));
        }
        ASSERT_EQ(c.run(), expected) << "case " << n;
    }
}

TEST(FilterZeroPoint, CountsForFullyConnectedOnly) {
    // x = (3, 4), w = (1, 2) with zero point 5, scales 1.
    Case c;
    c.type = "FULLY_CONNECTED";
    c.options = {{"fused_activation_function", 0}};
    c.input = activation({1, 2}, 1.0F, 0);
    c.filter = activation({1, 2}, 1.0F, 5);
    c.output = activation({1, 1}, 1.0F, 0);
    c.filter_scales = {1.0F};
    c.has_bias = false;
    c.x = {3, 4};
    c.w = {1, 2};
    EXPECT_EQ(c.run(), std::vector<std::int8_t>{-24});
    c.type = "CONV_2D";
    c.options = {
        {"fused_activation_function", 0}, {"padding", 1},          {"stride_h", 1}, {"stride_w", 1},
        {"dilation_h_factor", 1},         {"dilation_w_factor", 1}};
    c.input.shape = c.filter.shape = {1, 1, 1, 2};
    c.output.shape = {1, 1, 1, 1};
    EXPECT_EQ(c.run(), std::vector<std::int8_t>{11});
}

TEST(FullyConnected, ScaleProductsInFloat32OnRequest) {
    Case c;
    c.type = "FULLY_CONNECTED";
    c.options = {{"fused_activation_function", 0}};
    c.input = activation({1, 2}, 0.1F, 0);
    c.filter = activation({1, 2}, 0.3F, 0);
    c.output = activation({1, 1}, 0.7F, 0);
    c.filter_scales = {0.3F};
    c.has_bias = false;
    c.w = {1, 2};
    const OneOperator op = c.build();
    LoweringOptions options;
    const auto f64 = lower(op.graph, options);
    options.scales = ScaleArithmetic::f32;
    const auto f32 = lower(op.graph, options);
    EXPECT_NE(f64.steps[0].calls[0].descriptor, f32.steps[0].calls[0].descriptor);
}

}  // namespace
}  // namespace ingot::ops
