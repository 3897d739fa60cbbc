#include "ops/broadcast.h"
#include "ops/constraints.h"
#include "ops/numerics.h"
#include "ops/registry.h"

extern "C" {
#include "mul_s8.h"
}

namespace ingot::ops {

namespace {

double ratio(const OperatorView& op) {
    return scale_product_ratio(op.input(0).quantization.scale(), op.input(1).quantization.scale(),
                               op.output().quantization.scale(), ScaleArithmetic::f64);
}

bool ratio_is_in_range(const OperatorView& op) {
    return multiplier_in_range(ratio(op));
}

void lower_mul(Lowering& lowering) {
    const QuantizedMultiplier output = quantize_multiplier(ratio(lowering));
    const CodeRange range = *activation_range(lowering.option("fused_activation_function"),
                                              ir::DataType::int8, lowering.output().quantization);
    program::FieldValues fields = broadcast_fields(lowering);
    fields.insert(fields.end(), {{"input_1_offset", -lowering.input(0).quantization.zero_point()},
                                 {"input_2_offset", -lowering.input(1).quantization.zero_point()},
                                 {"output_multiplier", output.multiplier},
                                 {"output_shift", output.shift},
                                 {"output_offset", lowering.output().quantization.zero_point()},
                                 {"activation_min", range.low},
                                 {"activation_max", range.high}});
    const auto input_1 = lowering.read(0);
    const auto input_2 = lowering.read(1);
    lowering.call(INGOT_KERNEL(mul_s8), fields, {input_1, input_2, lowering.write()});
    permit_broadcast(lowering);
}

}  // namespace

const OperatorDefinition definitions::mul = {
    .type = "MUL",
    .types = "int8 x int8 -> int8",
    .min_inputs = 2,
    .max_inputs = 2,
    .compile_time_inputs = {},
    .constraints = {{"inputs and output are int8 with one scale each", int8_operands},
                    {"the inputs broadcast to the output's shape, 8 dimensions at most",
                     inputs_broadcast},
                    {"the fused activation is NONE, RELU, RELU_N1_TO_1 or RELU6",
                     activation_supported},
                    {"the product of the input scales is below 2^30 times the output scale",
                     ratio_is_in_range}},
    .lower = lower_mul,
};

}  // namespace ingot::ops
