#include "verify/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace ingot::verify {
namespace {

constexpr double kFloatTolerance = 1e-5;  // relative

template <typename T>
T element(std::span<const std::uint8_t> bytes, std::size_t i) {
    T value{};
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    return value;
}

template <typename T>
bool same(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(a) && std::isnan(b)) return true;
    }
    return a == b;
}

template <typename T>
bool close_enough(T a, T b, std::optional<double> tolerance) {
    if (same(a, b)) return true;
    if constexpr (std::is_floating_point_v<T>) {
        const double x = a;
        const double y = b;
        if (!std::isfinite(x) || !std::isfinite(y)) return false;
        const double larger = std::fmax(std::fabs(x), std::fabs(y));
        return std::fabs(x - y) <= tolerance.value_or(kFloatTolerance) * larger;
    } else {
        // The difference of 64-bit numbers may need one bit more than they have.
        const auto difference = a > b
                                    ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                                    : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
        return static_cast<double>(difference) <= std::floor(tolerance.value_or(0.0));
    }
}

// fmt prints 8-bit integers as numbers and floats with all digits that tell them apart.
template <typename T>
void compare_as(std::optional<double> tolerance, std::span<const std::uint8_t> expected,
                std::span<const std::uint8_t> got, Difference where, OutputResult& result) {
    const std::size_t count = expected.size() / sizeof(T);
    result.elements = count;
    result.compared += count;
    for (std::size_t i = 0; i < count; ++i) {
        const T want = element<T>(expected, i);
        const T have = element<T>(got, i);
        if (same(want, have)) continue;
        ++result.inexact;
        if (close_enough(want, have, tolerance)) continue;
        ++result.wrong;
        if (result.first) continue;
        where.element = i;
        where.expected = fmt::format("{}", want);
        where.got = fmt::format("{}", have);
        result.first = where;
    }
}

}  // namespace

void compare(const program::Tensor& tensor, std::optional<double> tolerance,
             std::span<const std::uint8_t> expected, std::span<const std::uint8_t> got,
             std::size_t sequence, std::size_t invocation, OutputResult& result) {
    const Difference where{sequence, invocation, 0, {}, {}};
    const auto as = [&](auto zero) {
        compare_as<decltype(zero)>(tolerance, expected, got, where, result);
    };
    switch (tensor.type) {
        case ir::DataType::int8:
            return as(std::int8_t{});
        case ir::DataType::int16:
            return as(std::int16_t{});
        case ir::DataType::uint16:
            return as(std::uint16_t{});
        case ir::DataType::int32:
            return as(std::int32_t{});
        case ir::DataType::uint32:
            return as(std::uint32_t{});
        case ir::DataType::int64:
            return as(std::int64_t{});
        case ir::DataType::uint64:
            return as(std::uint64_t{});
        case ir::DataType::float32:
            return as(float{});
        case ir::DataType::float64:
            return as(double{});
        case ir::DataType::uint8:
        case ir::DataType::boolean:
            return as(std::uint8_t{});
        default:
            return compare_as<std::uint8_t>(std::nullopt, expected, got, where, result);
    }
}

bool Result::equal() const {
    return failure.empty() && std::all_of(outputs.begin(), outputs.end(),
                                          [](const auto& output) { return output.wrong == 0; });
}

}  // namespace ingot::verify
