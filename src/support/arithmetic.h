// Integer helpers that never overflow silently.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ingot::support {

/// a * b, or nothing when it does not fit.
template <std::integral T>
constexpr std::optional<T> checked_multiply(T a, T b) {
    T result{};
    if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
    return result;
}

/// a + b, or nothing when it does not fit.
template <std::integral T>
constexpr std::optional<T> checked_add(T a, T b) {
    T result{};
    if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
    return result;
}

/// The least multiple of `alignment` (a power of two) that is not below `value`; both in bytes.
constexpr std::size_t align_up(std::size_t value, std::size_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

}  // namespace ingot::support
