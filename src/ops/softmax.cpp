// SOFTMAX over the last dimension: int8 to int8, or to int16 with 16 bits of fraction.
#include <algorithm>
#include <cmath>

#include "ops/constraints.h"
#include "ops/multipliers.h"
#include "ops/overlap.h"
#include "ops/registry.h"
#include "ops/same.h"

extern "C" {
#include "softmax_s8.h"
#include "softmax_s8_s16.h"
}

namespace ingot::ops {

namespace {

/// Exponents have 5 integer bits.
constexpr double kExponentOne = 1 << 26;

double exponent_multiplier(const OperatorView& op) {
    const double beta = op.op().attributes.get_float("beta");
    const double scale = op.input(0).quantization.scale();
    return std::min(beta * scale * kExponentOne, 2147483647.0);
}

bool types_are_supported(const OperatorView& op) {
    const ir::DataType output = op.output().type;
    return is_int8_activation(op.input(0)) &&
           (output == ir::DataType::int8 || output == ir::DataType::int16) &&
           quantized_per_tensor(op.output());
}

bool output_quantisation_is_fixed(const OperatorView& op) {
    const ir::Quantization& output = op.output().quantization;
    if (op.output().type == ir::DataType::int8) {
        return output.scale() == 1.0F / 256.0F && output.zero_point() == -128;
    }
    constexpr float kStep = 1.0F / 65536.0F;
    return std::abs(output.scale() - kStep) <= 0.001F * kStep && output.zero_point() == -32768;
}

bool has_dimensions(const OperatorView& op) {
    return !op.input(0).shape.empty();
}

bool exponent_multiplier_is_above_one(const OperatorView& op) {
    return multiplier_above_one(exponent_multiplier(op));
}

void lower(Lowering& op) {
    const QuantizedMultiplier multiplier = quantize_multiplier(exponent_multiplier(op));
    // The largest difference whose exponent the fixed point still holds.
    const double radius = std::floor(std::ldexp(31.0 * kExponentOne, -multiplier.shift));
    const std::int64_t depth = op.input(0).shape.back();
    const program::FieldValues fields = {{"rows", op.input(0).elements() / depth},
                                         {"depth", depth},
                                         {"multiplier", multiplier.multiplier},
                                         {"shift", multiplier.shift},
                                         {"diff_min", -static_cast<std::int64_t>(radius)}};
    // The input is read for the maximum, the sum and the output.
    const auto input = op.read(0, 3 * op.input(0).bytes());
    const auto output = op.write();
    const bool narrow = op.output().type == ir::DataType::int8;
    op.call(narrow ? INGOT_KERNEL(softmax_s8) : INGOT_KERNEL(softmax_s8_s16), fields,
            {input, output});
    permit_elements(op);  // what a row is read for before lies in front of its first output
}

}  // namespace

const OperatorDefinition definitions::softmax = {
    .type = "SOFTMAX",
    .types = "int8 -> int8, int8 -> int16",
    .needs_options = true,
    .compile_time_inputs = {},
    .constraints = {{"the input is int8 and the output int8 or int16, with one scale each",
                     types_are_supported},
                    {"the output has the input's shape", shape_is_kept},
                    {"there is a last dimension", has_dimensions},
                    {"the output's scale is 1/256 and its zero point -128 (int16: 1/65536, -32768)",
                     output_quantisation_is_fixed},
                    {"beta times the input's scale is above 2^-26",
                     exponent_multiplier_is_above_one}},
    .lower = lower,
};

}  // namespace ingot::ops
