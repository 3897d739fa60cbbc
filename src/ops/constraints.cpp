#include "ops/constraints.h"

namespace ingot::ops {

bool quantized_per_tensor(const ir::Tensor& tensor) {
    const bool has_codes = tensor.type == ir::DataType::int8 ||
                           tensor.type == ir::DataType::uint8 ||
                           tensor.type == ir::DataType::int16 || tensor.type == ir::DataType::int32;
    if (!has_codes || tensor.quantization.scales.size() != 1) return false;
    const CodeRange range = type_range(tensor.type);
    const std::int32_t zero_point = tensor.quantization.zero_point();
    return zero_point >= range.low && zero_point <= range.high;
}

bool is_int8_activation(const ir::Tensor& tensor) {
    return tensor.type == ir::DataType::int8 && quantized_per_tensor(tensor);
}

bool quantized_along(const ir::Tensor& tensor, std::int32_t axis) {
    const std::size_t count = tensor.quantization.scales.size();
    if (count <= 1) return count == 1;
    return tensor.quantization.axis == axis && axis >= 0 &&
           static_cast<std::size_t>(axis) < tensor.shape.size() &&
           count == static_cast<std::size_t>(tensor.shape[static_cast<std::size_t>(axis)]);
}

bool int8_in_and_out(const OperatorView& op) {
    return is_int8_activation(op.input(0)) && is_int8_activation(op.output());
}

bool activation_supported(const OperatorView& op) {
    return activation_range(op.option("fused_activation_function"), op.output().type,
                            op.output().quantization)
        .has_value();
}

bool padding_supported(const OperatorView& op) {
    const std::int64_t padding = op.option("padding");
    return padding == 0 || padding == 1;
}

bool multiplier_in_range(double real) {
    return real > 0.0 && real < 1073741824.0;
}

}  // namespace ingot::ops
