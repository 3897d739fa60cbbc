// Facts about the reference's arithmetic that are easily got wrong (docs/numerics.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "one_operator.h"

namespace ingot::test {
namespace {

using ir::DataType;
using Codes = std::vector<std::int8_t>;
using ::testing::ElementsAre;

Operand int8(ir::Shape shape, float scale = 1.0F, std::int32_t zero_point = 0) {
    return {DataType::int8, std::move(shape), scale, zero_point, {}};
}

ir::Attributes pool(std::int64_t height, std::int64_t width) {
    return options({{"filter_height", height},
                    {"filter_width", width},
                    {"stride_h", 1},
                    {"stride_w", 1},
                    {"padding", 1}});
}

TEST(Traps, MulRoundsTiesAsymmetrically) {
    const OneOperator mul("MUL", {int8({2}), int8({2})}, int8({2}, 2.0F));
    EXPECT_THAT((mul.run<std::int8_t, std::int8_t>({{3, -3}, {1, 1}})), ElementsAre(2, -1));
}

TEST(Traps, MeanAndAveragePoolRoundDifferently) {
    const OneOperator mean("MEAN", {int8({2, 2}), integers({1}, {1})}, int8({2}));
    EXPECT_THAT((mean.run<std::int8_t, std::int8_t>({{-1, -2, 1, 2}})), ElementsAre(-1, 2));
    const OneOperator average("AVERAGE_POOL_2D", {int8({1, 2, 2, 1})}, int8({1, 2, 1, 1}),
                              pool(1, 2));
    EXPECT_THAT((average.run<std::int8_t, std::int8_t>({{-1, -2, 1, 2}})), ElementsAre(-2, 2));
}

TEST(Traps, PadFillsInt8WithTheZeroPointAndInt16WithZero) {
    const Operand paddings = integers({1, 2}, {1, 1});
    const OneOperator narrow("PAD", {int8({2}, 1.0F, 7), paddings}, int8({4}, 1.0F, 7));
    EXPECT_THAT((narrow.run<std::int8_t, std::int8_t>({{1, 2}})), ElementsAre(7, 1, 2, 7));
    const OneOperator wide("PAD", {{DataType::int16, {2}, 1.0F, 7, {}}, paddings},
                           {DataType::int16, {4}, 1.0F, 7, {}});
    EXPECT_THAT((wide.run<std::int16_t, std::int16_t>({{1, 2}})), ElementsAre(0, 1, 2, 0));
}

TEST(Traps, PadV2ReadsAValueThatIsNotConstant) {
    const Operand value{DataType::int16, {}, 0.0F, 0, {}};
    const OneOperator pad("PADV2",
                          {{DataType::int16, {2}, 0.0F, 0, {}}, integers({1, 2}, {2, 1}), value},
                          {DataType::int16, {5}, 0.0F, 0, {}});
    EXPECT_THAT((pad.run<std::int16_t, std::int16_t>({{1, 2}, {-300}})),
                ElementsAre(-300, -300, 1, 2, -300));
}

TEST(Traps, ReluRescalesAndRelu6DoesNot) {
    const OneOperator relu("RELU", {int8({3}, 0.1F)}, int8({3}, 0.05F));
    EXPECT_THAT((relu.run<std::int8_t, std::int8_t>({{-5, 30, 100}})), ElementsAre(0, 60, 127));
    const OneOperator relu6("RELU6", {int8({3}, 0.1F)}, int8({3}, 0.05F));
    EXPECT_THAT((relu6.run<std::int8_t, std::int8_t>({{-5, 30, 100}})), ElementsAre(0, 30, 60));
}

TEST(Traps, QuantizeRoundsHalvesAwayFromZeroAndSaturates) {
    const Operand real{DataType::float32, {5}, 0.0F, 0, {}};
    const OneOperator quantize("QUANTIZE", {real}, int8({5}));
    EXPECT_THAT((quantize.run<std::int8_t, float>({{0.5F, 1.5F, 2.5F, -0.5F, -2.5F}})),
                ElementsAre(1, 2, 3, -1, -3));
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_THAT((quantize.run<std::int8_t, float>(
                    {{infinity, -infinity, 3e38F, std::nanf(""), -0.49999997F}})),
                ElementsAre(127, -128, 127, 0, 0));
}

// The left shift of the multiplication by 2^30 * 2^17 saturates at 2^31; the reference's wraps
// and turns the sign round.
TEST(Traps, QuantizeSaturatesItsLeftShift) {
    const OneOperator quantize("QUANTIZE", {{DataType::int16, {3}, 65536.0F, 0, {}}},
                               {DataType::int32, {3}, 1.0F, 0, {}});
    EXPECT_THAT((quantize.run<std::int32_t, std::int16_t>({{32767, -32768, 1}})),
                ElementsAre(1 << 30, -(1 << 30), 65536));
}

TEST(Traps, SoftmaxOfEqualCodes) {
    const OneOperator softmax("SOFTMAX", {int8({1, 3}, 0.1F)}, int8({1, 3}, 1.0F / 256.0F, -128),
                              [] {
                                  ir::Attributes beta;
                                  beta.set("beta", 1.0);
                                  return beta;
                              }());
    EXPECT_THAT((softmax.run<std::int8_t, std::int8_t>({{0, 0, 0}})), ElementsAre(-43, -43, -43));
}

// 4096 equal exponentials are 2^31 in the sum, which int32 does not hold; each share is below
// half a step.
TEST(Traps, SoftmaxOfManyCodesIsDefined) {
    const std::int32_t depth = 20000;
    ir::Attributes beta;
    beta.set("beta", 1.0);
    const OneOperator softmax("SOFTMAX", {int8({depth}, 0.1F)}, int8({depth}, 1.0F / 256.0F, -128),
                              beta);
    const Codes codes(static_cast<std::size_t>(depth), 5);
    EXPECT_THAT((softmax.run<std::int8_t, std::int8_t>({codes})), ::testing::Each(-128));
}

TEST(Traps, LogisticAndTanhAreExactAtTheirEnds) {
    const OneOperator logistic("LOGISTIC", {int8({4}, 0.1F, 3)}, int8({4}, 1.0F / 256, -128));
    EXPECT_THAT((logistic.run<std::int8_t, std::int8_t>({{3, 127, -128, 13}})),
                ElementsAre(0, 127, -128, 59));
    const OneOperator tanh("TANH", {int8({4}, 0.1F, 3)}, int8({4}, 1.0F / 128, 0));
    EXPECT_THAT((tanh.run<std::int8_t, std::int8_t>({{3, 127, -128, 13}})),
                ElementsAre(0, 127, -128, 97));
}

// Eight dimensions that alternate cannot be merged.
TEST(Broadcasting, GoesThroughEightDimensions) {
    const ir::Shape first = {2, 1, 2, 1, 2, 1, 2, 1};
    const ir::Shape second = {1, 2, 1, 2, 1, 2, 1, 2};
    const OneOperator sub("SUB", {int8(first), int8(second)}, int8(ir::Shape(8, 2)));
    Codes a(16);
    Codes b(16);
    for (std::size_t i = 0; i < 16; ++i) {
        a[i] = static_cast<std::int8_t>(i);
        b[i] = static_cast<std::int8_t>(i * 4);
    }
    const auto result = sub.run<std::int8_t, std::int8_t>({a, b});
    for (std::size_t i = 0; i < 256; ++i) {
        const auto bit = [i](unsigned n) { return static_cast<int>(i >> n & 1U); };
        const int x = bit(7) * 8 + bit(5) * 4 + bit(3) * 2 + bit(1);
        const int y = bit(6) * 8 + bit(4) * 4 + bit(2) * 2 + bit(0);
        ASSERT_EQ(result[i], x - 4 * y) << i;
    }
}

// The oldest element of the next filter's memory moves into the newest place of this one's,
// which is then overwritten; with a zero point the state begins there.
TEST(Svdf, RemembersOneInputForEachPlace) {
    const Operand state{DataType::int8, {1, 4}, 1.0F, 5, {}, true};
    const OneOperator svdf("SVDF",
                           {int8({1, 1}),
                            {DataType::int8, {2, 1}, 1.0F, 0, to_bytes(Codes{1, 2})},
                            {DataType::int8, {2, 2}, 1.0F, 0, to_bytes(Codes{10, 1, 10, 1})},
                            {DataType::int32, {2}, 1.0F, 0, to_bytes<std::int32_t>({0, 3})},
                            state},
                           int8({1, 2}), options({{"rank", 1}}));
    ASSERT_EQ(svdf.reason(), "");
    const program::Program program = ops::lower(svdf.graph, {});
    program::Instance instance(program, program::separate_layout(program));
    const auto step = [&](int input) {
        instance.bytes(program.inputs[0])[0] = static_cast<std::uint8_t>(input);
        EXPECT_EQ(instance.run(), 0);
        const auto output = instance.bytes(program.outputs[0]);
        return std::vector<int>{static_cast<std::int8_t>(output[0]),
                                static_cast<std::int8_t>(output[1])};
    };
    EXPECT_THAT(step(1), ElementsAre(1, 5));
    EXPECT_THAT(step(2), ElementsAre(12, 27));
    EXPECT_THAT(step(-1), ElementsAre(19, 41));
    instance.reset();
    EXPECT_THAT(step(1), ElementsAre(1, 5));
}

}  // namespace
}  // namespace ingot::test
