// Element types, shapes and quantisation of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::ir {

/// Element types of TensorFlow Lite; the numbers are the file format's `TensorType`.
enum class DataType : std::uint8_t {
    float32 = 0,
    float16 = 1,
    int32 = 2,
    uint8 = 3,
    int64 = 4,
    string = 5,
    boolean = 6,
    int16 = 7,
    complex64 = 8,
    int8 = 9,
    float64 = 10,
    complex128 = 11,
    uint64 = 12,
    resource = 13,
    variant = 14,
    uint32 = 15,
    uint16 = 16,
    int4 = 17,
};

/// The type's lower-case name: `int8`, `float32`, `bool`.
std::string_view name(DataType type);

/// Bits of one element as stored in the file; 0 for types without a fixed size.
std::size_t bits(DataType type);

/// A static shape: every dimension is 0 or more. A scalar has no dimensions.
using Shape = std::vector<std::int32_t>;

/// The number of elements; nothing when a dimension is negative or the product of those that
/// are not 0 overflows (so that no partial product can overflow either).
std::optional<std::int64_t> element_count(const Shape& shape);

/// The number of bytes of a tensor (int4 packs two elements in a byte, the last one padded);
/// nothing as for element_count, or when the type has no fixed size.
std::optional<std::int64_t> byte_count(DataType type, const Shape& shape);

/// `1x49x10x8`, or `scalar`.
std::string to_text(const Shape& shape);

/// Affine quantisation, real = scale * (code - zero_point). Empty when not quantised; one
/// scale for the whole tensor, or one for each index of dimension `axis`. The importer has
/// checked that there are as many zero points as scales and that scales are finite, above 0.
struct Quantization {
    std::vector<float> scales;
    std::vector<std::int32_t> zero_points;
    std::int32_t axis = 0;

    bool empty() const { return scales.empty(); }
    bool per_channel() const { return scales.size() > 1; }
    float scale() const { return scales.empty() ? 0.0F : scales.front(); }
    std::int32_t zero_point() const { return zero_points.empty() ? 0 : zero_points.front(); }
    bool operator==(const Quantization&) const = default;
};

}  // namespace ingot::ir
