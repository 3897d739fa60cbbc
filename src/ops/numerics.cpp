#include "ops/numerics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

extern "C" {
#include "support/requantize.h"
}

namespace ingot::ops {

QuantizedMultiplier quantize_multiplier(double real) {
    if (real == 0.0) return {};
    if (!std::isfinite(real)) throw std::logic_error("multiplier is not finite");
    int exponent = 0;
    const double fraction = std::frexp(real, &exponent);
    auto mantissa = static_cast<std::int64_t>(std::round(fraction * 2147483648.0));
    if (mantissa == std::int64_t{1} << 31) {
        mantissa /= 2;
        ++exponent;
    }
    if (exponent < -31) return {};
    return {static_cast<std::int32_t>(mantissa), exponent};
}

double scale_product_ratio(float a, float b, float c, ScaleArithmetic arithmetic) {
    const double product = arithmetic == ScaleArithmetic::f32
                               ? static_cast<double>(a * b)
                               : static_cast<double>(a) * static_cast<double>(b);
    return product / static_cast<double>(c);
}

double scale_ratio(float a, float b, ScaleArithmetic arithmetic) {
    return arithmetic == ScaleArithmetic::f32 ? static_cast<double>(a / b)
                                              : static_cast<double>(a) / static_cast<double>(b);
}

std::int32_t multiply_by_quantized_multiplier(std::int32_t x, QuantizedMultiplier q) {
    return ingot_multiply_by_quantized_multiplier(x, q.multiplier, q.shift);
}

CodeRange type_range(ir::DataType type) {
    switch (type) {
        case ir::DataType::int8:
            return {-128, 127};
        case ir::DataType::uint8:
            return {0, 255};
        case ir::DataType::int16:
            return {-32768, 32767};
        case ir::DataType::int32:
            return {std::numeric_limits<std::int32_t>::min(),
                    std::numeric_limits<std::int32_t>::max()};
        default:
            throw std::logic_error("type has no codes: " + std::string(ir::name(type)));
    }
}

namespace {

/// The code of a real bound: divided in float32, rounded half away from zero.
std::optional<std::int32_t> bound(float real, const ir::Quantization& quantization) {
    const float scaled = std::round(real / quantization.scale());
    constexpr float kLimit = 2147483648.0F;
    if (!(scaled >= -kLimit && scaled < kLimit)) return std::nullopt;
    const std::int64_t code =
        static_cast<std::int64_t>(scaled) + std::int64_t{quantization.zero_point()};
    if (code < std::numeric_limits<std::int32_t>::min() ||
        code > std::numeric_limits<std::int32_t>::max()) {
        return std::nullopt;
    }
    return static_cast<std::int32_t>(code);
}

}  // namespace

std::optional<CodeRange> activation_range(std::int64_t activation, ir::DataType type,
                                          const ir::Quantization& quantization) {
    CodeRange range = type_range(type);
    std::optional<std::int32_t> low = range.low;
    std::optional<std::int32_t> high = range.high;
    switch (static_cast<Activation>(activation)) {
        case Activation::none:
            break;
        case Activation::relu:
            low = bound(0.0F, quantization);
            break;
        case Activation::relu_n1_to_1:
            low = bound(-1.0F, quantization);
            high = bound(1.0F, quantization);
            break;
        case Activation::relu6:
            low = bound(0.0F, quantization);
            high = bound(6.0F, quantization);
            break;
        default:
            return std::nullopt;
    }
    if (!low || !high) return std::nullopt;
    return CodeRange{std::max(range.low, *low), std::min(range.high, *high)};
}

std::optional<Window> window(std::int64_t padding, std::int32_t input, std::int32_t filter,
                             std::int32_t stride, std::int32_t dilation) {
    if (input < 1 || filter < 1 || stride < 1 || dilation < 1) return std::nullopt;
    // At most 2^62: the factors are below 2^31.
    const std::int64_t extent = (std::int64_t{filter} - 1) * dilation + 1;
    const std::int64_t reach = std::int64_t{input} + stride;
    const std::int64_t output = padding == 0 ? (reach - 1) / stride : (reach - extent) / stride;
    if (output < 1) return std::nullopt;
    const std::int64_t covered = (output - 1) * stride + extent;
    if (covered > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    const std::int64_t total = std::max<std::int64_t>(0, covered - input);
    return Window{static_cast<std::int32_t>(output), static_cast<std::int32_t>(total / 2)};
}

std::optional<Window> padded_window(const OperatorView& op, std::size_t dimension,
                                    std::int32_t filter, std::int32_t stride,
                                    std::int32_t dilation) {
    // Added by fuse-pad, which has seen that the padded size fits int32.
    const std::vector<std::int64_t> added = op.op().attributes.get_ints("explicit_padding");
    const std::size_t side = 2 * (dimension - 1);
    const auto before = static_cast<std::int32_t>(added.empty() ? 0 : added.at(side));
    const auto after = static_cast<std::int32_t>(added.empty() ? 0 : added.at(side + 1));
    auto result = window(op.option("padding"), op.input(0).shape[dimension] + before + after,
                         filter, stride, dilation);
    if (result) result->pad_before += before;
    return result;
}

}  // namespace ingot::ops
