#include "verify/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace ingot::verify {
namespace {

template <typename T>
std::vector<std::uint8_t> bytes(const std::vector<T>& values) {
    std::vector<std::uint8_t> result(values.size() * sizeof(T));
    std::memcpy(result.data(), values.data(), result.size());
    return result;
}

template <typename T>
OutputResult compared(ir::DataType type, const std::vector<T>& expected, const std::vector<T>& got,
                      std::optional<double> tolerance = {}) {
    program::Tensor tensor;
    tensor.type = type;
    OutputResult result;
    compare(tensor, tolerance, bytes(expected), bytes(got), 2, 5, result);
    return result;
}

TEST(Compare, EqualIntegers) {
    const auto result = compared<std::int8_t>(ir::DataType::int8, {-128, 0, 127}, {-128, 0, 127});
    EXPECT_EQ(result.compared, 3U);
    EXPECT_EQ(result.wrong, 0U);
    EXPECT_FALSE(result.first);
}

TEST(Compare, NamesTheFirstDifference) {
    const auto result =
        compared<std::int16_t>(ir::DataType::int16, {1, -300, 3, 4}, {1, 300, 3, 5});
    EXPECT_EQ(result.wrong, 2U);
    ASSERT_TRUE(result.first);
    EXPECT_EQ(result.first->sequence, 2U);
    EXPECT_EQ(result.first->invocation, 5U);
    EXPECT_EQ(result.first->element, 1U);
    EXPECT_EQ(result.first->expected, "-300");
    EXPECT_EQ(result.first->got, "300");
}

TEST(Compare, KeepsTheFirstDifferenceOfSeveralInvocations) {
    program::Tensor tensor;
    OutputResult result;
    compare(tensor, {}, bytes<std::int8_t>({1}), bytes<std::int8_t>({1}), 0, 0, result);
    compare(tensor, {}, bytes<std::int8_t>({1}), bytes<std::int8_t>({2}), 0, 1, result);
    compare(tensor, {}, bytes<std::int8_t>({1}), bytes<std::int8_t>({3}), 1, 0, result);
    EXPECT_EQ(result.compared, 3U);
    EXPECT_EQ(result.wrong, 2U);
    EXPECT_EQ(result.first->invocation, 1U);
    EXPECT_EQ(result.first->got, "2");
}

TEST(Compare, IntegersWithinSteps) {
    const auto near = compared<std::int8_t>(ir::DataType::int8, {10, 20}, {11, 18}, 1.9);
    EXPECT_EQ(near.inexact, 2U);
    EXPECT_EQ(near.wrong, 1U);
    EXPECT_EQ(near.first->element, 1U);
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(compared<std::int64_t>(ir::DataType::int64, {least}, {most}, 1e18).wrong, 1U);
    EXPECT_EQ(compared<std::int64_t>(ir::DataType::int64, {least}, {most}, 2e19).wrong, 0U);
    EXPECT_EQ(compared<std::uint32_t>(ir::DataType::uint32, {0}, {0xFFFFFFFFU}, 1.0).wrong, 1U);
}

TEST(Compare, FloatsRelativeToTheLarger) {
    EXPECT_EQ(compared<float>(ir::DataType::float32, {1000.0F}, {1000.005F}).wrong, 0U);
    EXPECT_EQ(compared<float>(ir::DataType::float32, {1000.0F}, {1000.1F}).wrong, 1U);
    EXPECT_EQ(compared<float>(ir::DataType::float32, {0.0F}, {-0.0F}).inexact, 0U);
    EXPECT_EQ(compared<float>(ir::DataType::float32, {0.0F}, {1e-30F}).wrong, 1U);
    EXPECT_EQ(compared<float>(ir::DataType::float32, {1.0F}, {1.001F}, 0.0).wrong, 1U);
}

TEST(Compare, InfinityAndNan) {
    constexpr float inf = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(compared<float>(ir::DataType::float32, {inf, -inf, nan}, {inf, -inf, nan}).wrong, 0U);
    EXPECT_EQ(
        compared<float>(ir::DataType::float32, {inf, nan, 1.0F}, {-inf, 1.0F, nan}, 10.0).wrong,
        3U);
    EXPECT_EQ(compared<float>(ir::DataType::float32, {inf}, {3e38F}, 10.0).wrong, 1U);
}

TEST(Compare, TypesWithoutArithmeticAsBytes) {
    const auto result = compared<std::uint16_t>(ir::DataType::float16, {0x3C00}, {0x3C01}, 5.0);
    EXPECT_EQ(result.compared, 2U);
    EXPECT_EQ(result.wrong, 1U);
}

TEST(Result, IsEqualWhenItEndedAndNothingIsWrong) {
    Result result;
    result.outputs.emplace_back();
    EXPECT_TRUE(result.equal());
    result.failure = "init returned 12";
    EXPECT_FALSE(result.equal());
    result.failure.clear();
    result.outputs.back().wrong = 1;
    EXPECT_FALSE(result.equal());
}

}  // namespace
}  // namespace ingot::verify
