// Values at the ends of the range, where a sum of codes would leave int32.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

extern "C" {
#include "svdf_s8.h"
#include "svdf_s8_s16.h"
}

namespace {

// One filter with one place of memory; the bias alone drives the output up to the limit.
template <typename Descriptor>
Descriptor steep() {
    Descriptor d{};
    d.batches = 1;
    d.input_size = 1;
    d.units = 1;
    d.rank = 1;
    d.memory_size = 1;
    d.state_multiplier = 1 << 30;
    d.output_multiplier = 1 << 30;
    d.output_shift = 26;
    d.output_offset = 127;
    return d;
}

TEST(Svdf, OutputSaturatesBeforeTheZeroPointIsAdded) {
    const std::int8_t input = 0;
    const std::int8_t feature = 1;
    const std::int32_t bias = std::numeric_limits<std::int32_t>::max();
    const std::int32_t weight_sum = 0;
    std::int8_t output = 0;

    const auto d8 = steep<ingot_svdf_s8_desc_t>();
    const std::int8_t time8 = 1;
    std::int8_t state8 = 0;
    EXPECT_EQ(
        ingot_kernel_svdf_s8(&d8, &input, &feature, &time8, &bias, &weight_sum, &state8, &output),
        0);
    EXPECT_EQ(output, 127);

    const auto d16 = steep<ingot_svdf_s8_s16_desc_t>();
    const std::int16_t time16 = 1;
    std::int16_t state16 = 0;
    EXPECT_EQ(ingot_kernel_svdf_s8_s16(&d16, &input, &feature, &time16, &bias, &weight_sum,
                                       &state16, &output),
              0);
    EXPECT_EQ(output, 127);
}

}  // namespace
