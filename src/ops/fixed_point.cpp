#include "ops/fixed_point.h"

#include <algorithm>
#include <limits>

extern "C" {
#include "support/exp_on_negative.h"
#include "support/rounding_divide.h"
#include "support/two_over_one_plus.h"
}

namespace ingot::ops {

namespace {

constexpr std::int32_t kOne = std::numeric_limits<std::int32_t>::max();

/// x · 2^n, limited to int32.
std::int32_t saturating_shift(std::int64_t x, int n) {
    const std::int64_t shifted = x * (std::int64_t{1} << n);
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(shifted, std::numeric_limits<std::int32_t>::min(), kOne));
}

/// -|x|; the lowest number stays.
std::int32_t minus_magnitude(std::int32_t x) {
    return x > 0 ? -x : x;
}

}  // namespace

std::int32_t fixed_point_logistic(std::int32_t x) {
    if (x == 0) return std::int32_t{1} << 30;
    const std::int32_t exponential = ingot_exp_on_negative(minus_magnitude(x), 4);
    const std::int32_t result = saturating_shift(ingot_two_over_one_plus(exponential), 1);
    return x > 0 ? result : kOne - result;
}

std::int32_t fixed_point_tanh(std::int32_t x) {
    if (x == 0) return 0;
    // The same bits with one more integer bit are twice the number: exp(-2|x|).
    const std::int32_t exponential = ingot_exp_on_negative(minus_magnitude(x), 5);
    const std::int64_t two_over = ingot_two_over_one_plus(exponential);
    const std::int32_t result = saturating_shift(two_over - (std::int64_t{1} << 29), 2);
    return x > 0 ? result : -result;
}

std::int32_t rounding_divide_by_power_of_two(std::int32_t x, std::int32_t n) {
    return ingot_rounding_divide_by_pot(x, n);
}

}  // namespace ingot::ops
