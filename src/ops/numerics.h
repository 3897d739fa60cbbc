// Compile-time arithmetic of quantised operators: how scales become integer multipliers.
// The rules are those of TensorFlow Lite Micro's reference kernels (docs/numerics.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/types.h"
#include "ops/lowering.h"

namespace ingot::ops {

/// real ≈ multiplier · 2^(shift − 31), 2^30 <= multiplier < 2^31 for a normal real.
struct QuantizedMultiplier {
    std::int32_t multiplier = 0;
    std::int32_t shift = 0;
    bool operator==(const QuantizedMultiplier&) const = default;
};

/// QM(real), real finite: mantissa rounded half away from zero; flushed to zero below 2^-32.
QuantizedMultiplier quantize_multiplier(double real);

/// (a·b)/c with the products of scales formed as `arithmetic` says; division in double.
double scale_product_ratio(float a, float b, float c, ScaleArithmetic arithmetic);

/// a/b, in double or in float32.
double scale_ratio(float a, float b, ScaleArithmetic arithmetic);

/// MUL32(x, m, e) of docs/numerics.md: saturating left shift, then rounding doubling high
/// multiply, then rounding right shift; the host's twin of the kernels' helper.
std::int32_t multiply_by_quantized_multiplier(std::int32_t x, QuantizedMultiplier q);

/// Inclusive range of integer codes.
struct CodeRange {
    std::int32_t low = 0;
    std::int32_t high = 0;
};

/// Lowest and highest code of int8, int16, uint8 or int32.
CodeRange type_range(ir::DataType type);

/// Fused activations by the file format's number.
enum class Activation : std::int64_t {
    none = 0,
    relu = 1,
    relu_n1_to_1 = 2,
    relu6 = 3,
    tanh = 4,
    sign_bit = 5
};

/// The codes to which a fused activation clamps a tensor of this type and quantisation;
/// nothing when a bound does not fit int32 or the activation is none of none, relu,
/// relu_n1_to_1, relu6.
std::optional<CodeRange> activation_range(std::int64_t activation, ir::DataType type,
                                          const ir::Quantization& quantization);

/// Output size and padding before the first element, for one dimension of a window.
struct Window {
    std::int32_t output = 0;
    std::int32_t pad_before = 0;
};

/// `padding`: 0 is SAME, otherwise VALID. Sizes in elements. Nothing when one of them is below 1,
/// when there is no output, or when a position within a window does not fit int32.
std::optional<Window> window(std::int64_t padding, std::int32_t input, std::int32_t filter,
                             std::int32_t stride, std::int32_t dilation);

/// The window of an operator on images along dimension 1 (rows) or 2 (columns) of input 0, by its
/// option `padding`. What the attribute `explicit_padding` adds around the input (numbers of rows
/// above and below it, of columns left and right of it) counts as input there, and then as padding
/// in front of the first element: `pad_before` is all of it. A window may lie in it altogether.
std::optional<Window> padded_window(const OperatorView& op, std::size_t dimension,
                                    std::int32_t filter, std::int32_t stride,
                                    std::int32_t dilation);

}  // namespace ingot::ops
