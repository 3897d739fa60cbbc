// The primitives of docs/numerics.md, with its examples and those of its table of traps.
#include "ops/numerics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

extern "C" {
#include "support/doubling_high_mul.h"
#include "support/requantize.h"
#include "support/requantize_s8.h"
#include "support/rounding_divide.h"
}

namespace ingot::ops {
namespace {

constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kHalf = 1 << 30;  // 0.5 as a mantissa

ir::Quantization quantization(float scale, std::int32_t zero_point) {
    return {{scale}, {zero_point}, 0};
}

TEST(QuantizeMultiplier, MantissaAndExponent) {
    EXPECT_EQ(quantize_multiplier(0.0), (QuantizedMultiplier{0, 0}));
    EXPECT_EQ(quantize_multiplier(1.0), (QuantizedMultiplier{kHalf, 1}));
    EXPECT_EQ(quantize_multiplier(0.5), (QuantizedMultiplier{kHalf, 0}));
    EXPECT_EQ(quantize_multiplier(0.75), (QuantizedMultiplier{3 << 29, 0}));
    EXPECT_EQ(quantize_multiplier(-0.75), (QuantizedMultiplier{-(3 << 29), 0}));
    EXPECT_EQ(quantize_multiplier(65536.0), (QuantizedMultiplier{kHalf, 17}));
}

TEST(QuantizeMultiplier, CarryMovesToTheExponent) {
    EXPECT_EQ(quantize_multiplier(std::nextafter(1.0, 0.0)), (QuantizedMultiplier{kHalf, 1}));
    // Only the positive carry is handled.
    EXPECT_EQ(quantize_multiplier(-std::nextafter(1.0, 0.0)), (QuantizedMultiplier{kLowest, 0}));
}

TEST(QuantizeMultiplier, RoundsHalfAwayFromZero) {
    const double half_step = 0.5 / 2147483648.0;
    EXPECT_EQ(quantize_multiplier(0.5 + half_step).multiplier, kHalf + 1);
    EXPECT_EQ(quantize_multiplier(-0.5 - half_step).multiplier, -kHalf - 1);
}

TEST(QuantizeMultiplier, TinyValuesAreFlushed) {
    EXPECT_EQ(quantize_multiplier(0x1p-32), (QuantizedMultiplier{kHalf, -31}));
    EXPECT_EQ(quantize_multiplier(0x1.8p-33), (QuantizedMultiplier{0, 0}));
    EXPECT_EQ(quantize_multiplier(std::numeric_limits<double>::denorm_min()),
              (QuantizedMultiplier{0, 0}));
    // The carry comes first: this value becomes 2^-32 and is kept.
    EXPECT_EQ(quantize_multiplier(std::nextafter(0x1p-32, 0.0)), (QuantizedMultiplier{kHalf, -31}));
    EXPECT_THROW(quantize_multiplier(std::numeric_limits<double>::infinity()), std::logic_error);
}

TEST(ScaleRatio, DoubleAndFloat32) {
    const float in = 0.011382301338016987F;
    const float out = 0.005200924351811409F;
    const double alpha_ratio_f64 = scale_ratio(in, out, ScaleArithmetic::f64);
    const double alpha_ratio_f32 = scale_ratio(in, out, ScaleArithmetic::f32);
    EXPECT_EQ(quantize_multiplier(alpha_ratio_f64).multiplier, 1174950083);
    EXPECT_EQ(quantize_multiplier(alpha_ratio_f32).multiplier, 1174950144);
    const double f64 = scale_product_ratio(0.1F, 0.3F, 0.7F, ScaleArithmetic::f64);
    const double f32 = scale_product_ratio(0.1F, 0.3F, 0.7F, ScaleArithmetic::f32);
    EXPECT_EQ(f64,
              static_cast<double>(0.1F) * static_cast<double>(0.3F) / static_cast<double>(0.7F));
    EXPECT_EQ(f32, static_cast<double>(0.1F * 0.3F) / static_cast<double>(0.7F));
    EXPECT_NE(f64, f32);
}

TEST(DoublingHighMul, TiesGoTowardPlusInfinity) {
    EXPECT_EQ(ingot_saturating_rounding_doubling_high_mul(3, kHalf), 2);
    EXPECT_EQ(ingot_saturating_rounding_doubling_high_mul(-3, kHalf), -1);
    EXPECT_EQ(ingot_saturating_rounding_doubling_high_mul(-1, kHalf), 0);
    EXPECT_EQ(ingot_saturating_rounding_doubling_high_mul(kLowest, kLowest), kHighest);
    EXPECT_EQ(ingot_saturating_rounding_doubling_high_mul(kLowest, kHighest), -kHighest);
}

/// The definition: truncating division after a nudge by the sign.
std::int32_t doubling_high_mul_by_definition(std::int32_t a, std::int32_t b) {
    if (a == kLowest && b == kLowest) return kHighest;
    const std::int64_t product = std::int64_t{a} * b;
    const std::int64_t nudge = product >= 0 ? kHalf : 1 - std::int64_t{kHalf};
    return static_cast<std::int32_t>((product + nudge) / (std::int64_t{1} << 31));
}

/// Values at and around powers of two, of both signs.
std::vector<std::int32_t> edges() {
    std::vector<std::int32_t> result = {kLowest, kLowest + 1, 0, kHighest, kHighest - 1};
    for (int bit = 0; bit < 31; ++bit) {
        for (const std::int32_t value : {(1 << bit) - 1, 1 << bit, (1 << bit) + 1, 3 << bit / 2}) {
            result.push_back(value);
            result.push_back(-value);
        }
    }
    return result;
}

TEST(DoublingHighMul, IsItsDefinition) {
    for (const std::int32_t a : edges()) {
        for (const std::int32_t b : edges()) {
            ASSERT_EQ(ingot_saturating_rounding_doubling_high_mul(a, b),
                      doubling_high_mul_by_definition(a, b))
                << a << " " << b;
        }
    }
}

TEST(RoundingDivide, TiesGoAwayFromZero) {
    EXPECT_EQ(ingot_rounding_divide_by_pot(3, 1), 2);
    EXPECT_EQ(ingot_rounding_divide_by_pot(-3, 1), -2);
    EXPECT_EQ(ingot_rounding_divide_by_pot(-1, 1), -1);
    EXPECT_EQ(ingot_rounding_divide_by_pot(-1, 2), 0);
    EXPECT_EQ(ingot_rounding_divide_by_pot(7, 0), 7);
    EXPECT_EQ(ingot_rounding_divide_by_pot(kLowest, 31), -1);
    EXPECT_EQ(ingot_rounding_divide_by_pot(kHighest, 31), 1);
}

TEST(Requantize, RoundsTwice) {
    // Exactly 0.442: one rounding would give 0.
    EXPECT_EQ(multiply_by_quantized_multiplier(5, {1518500250, -3}), 1);
    EXPECT_EQ(multiply_by_quantized_multiplier(1000001, {1518500250, -3}), 88388);
}

TEST(Requantize, TiesOfAHalf) {
    // MUL with scales 1 and an output scale of 2.
    const QuantizedMultiplier half = quantize_multiplier(0.5);
    EXPECT_EQ(multiply_by_quantized_multiplier(3, half), 2);
    EXPECT_EQ(multiply_by_quantized_multiplier(-3, half), -1);
}

TEST(Requantize, LeftShiftSaturates) {
    EXPECT_EQ(multiply_by_quantized_multiplier(32767, {kHalf, 17}), kHalf);
    EXPECT_EQ(multiply_by_quantized_multiplier(-32769, {kHalf, 17}), -kHalf);
    EXPECT_EQ(multiply_by_quantized_multiplier(3, {kHalf, 17}), 3 * 65536);
}

TEST(Requantize, AnyBytesAreDefined) {
    for (const std::int32_t shift : edges()) {
        for (const std::int32_t multiplier : {kLowest, -1, 0, 1, kHighest}) {
            for (const std::int32_t x : {kLowest, -1, 0, 1, kHighest}) {
                const std::int32_t near = shift < -31 ? -31 : shift > 31 ? 31 : shift;
                EXPECT_EQ(ingot_multiply_by_quantized_multiplier(x, multiplier, shift),
                          ingot_multiply_by_quantized_multiplier(x, multiplier, near));
                const std::int8_t code = ingot_requantize_s8(x, multiplier, shift, 127, -100, 100);
                EXPECT_GE(code, -100);
                EXPECT_LE(code, 100);
            }
        }
    }
}

TEST(ActivationRange, OfEveryActivation) {
    const auto range = [](std::int64_t activation, ir::DataType type, float scale,
                          std::int32_t zero_point) {
        const auto result = activation_range(activation, type, quantization(scale, zero_point));
        return result ? std::pair{result->low, result->high} : std::pair{1, 0};
    };
    using Pair = std::pair<int, int>;
    EXPECT_EQ(range(0, ir::DataType::int8, 0.1F, 3), (Pair{-128, 127}));
    EXPECT_EQ(range(1, ir::DataType::int8, 0.1F, 3), (Pair{3, 127}));
    EXPECT_EQ(range(3, ir::DataType::int8, 0.1F, 3), (Pair{3, 63}));
    EXPECT_EQ(range(3, ir::DataType::int8, 0.01F, -128), (Pair{-128, 127}));
    EXPECT_EQ(range(2, ir::DataType::int8, 0.1F, 3), (Pair{-7, 13}));
    EXPECT_EQ(range(2, ir::DataType::int16, 0.001F, 0), (Pair{-1000, 1000}));
    EXPECT_EQ(range(2, ir::DataType::int8, 0.4F, 0), (Pair{-3, 3}));  // 2.5: away from zero
    EXPECT_EQ(range(4, ir::DataType::int8, 0.1F, 3), (Pair{1, 0}));
    EXPECT_EQ(range(5, ir::DataType::int8, 0.1F, 3), (Pair{1, 0}));
    EXPECT_EQ(range(-1, ir::DataType::int8, 0.1F, 3), (Pair{1, 0}));
    EXPECT_EQ(range(3, ir::DataType::int8, 1e-9F, 0), (Pair{1, 0}));  // 6e9 fits no int32
    EXPECT_EQ(range(3, ir::DataType::int8, 1e-38F, 0), (Pair{1, 0}));
}

TEST(TypeRange, OfTypesWithCodes) {
    EXPECT_EQ(type_range(ir::DataType::uint8).high, 255);
    EXPECT_EQ(type_range(ir::DataType::int16).low, -32768);
    EXPECT_EQ(type_range(ir::DataType::int32).low, kLowest);
    EXPECT_THROW(type_range(ir::DataType::float32), std::logic_error);
}

TEST(WindowSize, SameAndValid) {
    const auto of = [](std::int64_t padding, int input, int filter, int stride, int dilation) {
        const auto result = window(padding, input, filter, stride, dilation);
        return result ? std::pair{result->output, result->pad_before} : std::pair{-1, -1};
    };
    using Pair = std::pair<int, int>;
    EXPECT_EQ(of(0, 5, 3, 1, 1), (Pair{5, 1}));
    EXPECT_EQ(of(0, 4, 3, 2, 1), (Pair{2, 0}));  // the odd element goes behind
    EXPECT_EQ(of(0, 5, 3, 2, 1), (Pair{3, 1}));
    EXPECT_EQ(of(0, 5, 2, 1, 1), (Pair{5, 0}));
    EXPECT_EQ(of(0, 3, 5, 1, 2), (Pair{3, 4}));
    EXPECT_EQ(of(1, 5, 3, 1, 1), (Pair{3, 0}));
    EXPECT_EQ(of(1, 5, 3, 2, 1), (Pair{2, 0}));
    EXPECT_EQ(of(1, 5, 3, 1, 2), (Pair{1, 0}));
    EXPECT_EQ(of(1, 2, 3, 1, 1), (Pair{-1, -1}));
    EXPECT_EQ(of(1, 2, 3, 2, 1), (Pair{-1, -1}));
}

TEST(WindowSize, HostileNumbers) {
    EXPECT_FALSE(window(0, 0, 1, 1, 1));
    EXPECT_FALSE(window(0, 1, 0, 1, 1));
    EXPECT_FALSE(window(0, 1, 1, 0, 1));
    EXPECT_FALSE(window(0, 1, 1, 1, 0));
    EXPECT_FALSE(window(0, 1, kHighest, 1, kHighest));
    EXPECT_FALSE(window(1, 1, kHighest, kHighest, kHighest));
    EXPECT_FALSE(window(0, kHighest, kHighest, kHighest - 1, 1));
    EXPECT_TRUE(window(0, kHighest, 1, kHighest, kHighest));
}

}  // namespace
}  // namespace ingot::ops
