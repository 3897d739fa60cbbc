#include "ops/add_sub.h"

#include <algorithm>

#include "ops/broadcast.h"
#include "ops/constraints.h"
#include "ops/multipliers.h"
#include "ops/numerics.h"

extern "C" {
#include "add_s8.h"
}

namespace ingot::ops {

namespace {

/// Ratios of scales for the inputs and the output.
struct Ratios {
    double input_1 = 0.0;
    double input_2 = 0.0;
    double output = 0.0;
};

template <typename Real>
Ratios ratios_in(const OperatorView& op) {
    const Real scale_1 = op.input(0).quantization.scale();
    const Real scale_2 = op.input(1).quantization.scale();
    const Real twice_larger = 2 * std::max(scale_1, scale_2);
    const Real fine_output = (1 << 20) * static_cast<Real>(op.output().quantization.scale());
    return {static_cast<double>(scale_1 / twice_larger),
            static_cast<double>(scale_2 / twice_larger),
            static_cast<double>(twice_larger / fine_output)};
}

Ratios ratios(const OperatorView& op, ScaleArithmetic arithmetic) {
    return arithmetic == ScaleArithmetic::f32 ? ratios_in<float>(op) : ratios_in<double>(op);
}

/// The reference aborts for an output multiplier that is not below 1.
bool output_multiplier_is_below_one(const OperatorView& op) {
    return multiplier_below_one(ratios_in<double>(op).output) &&
           multiplier_below_one(ratios_in<float>(op).output);
}

}  // namespace

std::vector<Constraint> add_sub_constraints() {
    return {
        {"inputs and output are int8 with one scale each", int8_operands},
        {"the inputs broadcast to the output's shape, 8 dimensions at most", inputs_broadcast},
        {"the fused activation is NONE, RELU, RELU_N1_TO_1 or RELU6", activation_supported},
        {"the output's scale is above 2^-19 times the larger input scale",
         output_multiplier_is_below_one},
    };
}

void lower_add_sub(Lowering& lowering, std::int32_t sign, ScaleArithmetic arithmetic) {
    const Ratios real = ratios(lowering, arithmetic);
    const QuantizedMultiplier input_1 = quantize_multiplier(real.input_1);
    const QuantizedMultiplier input_2 = quantize_multiplier(real.input_2);
    const QuantizedMultiplier output = quantize_multiplier(real.output);
    const CodeRange range = *activation_range(lowering.option("fused_activation_function"),
                                              ir::DataType::int8, lowering.output().quantization);
    program::FieldValues fields = broadcast_fields(lowering);
    fields.insert(fields.end(), {{"input_1_offset", -lowering.input(0).quantization.zero_point()},
                                 {"input_1_multiplier", input_1.multiplier},
                                 {"input_1_shift", input_1.shift},
                                 {"input_2_offset", -lowering.input(1).quantization.zero_point()},
                                 {"input_2_multiplier", input_2.multiplier},
                                 {"input_2_shift", input_2.shift},
                                 {"input_2_sign", sign},
                                 {"output_multiplier", output.multiplier},
                                 {"output_shift", output.shift},
                                 {"output_offset", lowering.output().quantization.zero_point()},
                                 {"activation_min", range.low},
                                 {"activation_max", range.high}});
    const auto input_1_id = lowering.read(0);
    const auto input_2_id = lowering.read(1);
    lowering.call(INGOT_KERNEL(add_s8), fields, {input_1_id, input_2_id, lowering.write()});
    permit_broadcast(lowering);
}

}  // namespace ingot::ops
