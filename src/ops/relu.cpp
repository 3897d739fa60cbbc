// RELU: int8, with a change of scale.
#include <algorithm>
#include <cmath>

#include "ops/constraints.h"
#include "ops/overlap.h"
#include "ops/registry.h"
#include "ops/same.h"

extern "C" {
#include "requantize_s8_s8.h"
}

namespace ingot::ops {

namespace {

double ratio(const OperatorView& op, ScaleArithmetic arithmetic) {
    return scale_ratio(op.input(0).quantization.scale(), op.output().quantization.scale(),
                       arithmetic);
}

bool ratio_is_in_range(const OperatorView& op) {
    return multiplier_in_range(ratio(op, ScaleArithmetic::f64)) &&
           multiplier_in_range(ratio(op, ScaleArithmetic::f32));
}

void lower(Lowering& op) {
    const QuantizedMultiplier multiplier = quantize_multiplier(ratio(op, op.options().scales));
    const std::int32_t zero = op.output().quantization.zero_point();
    const CodeRange range = type_range(ir::DataType::int8);
    const auto input = op.read(0);
    op.call(INGOT_KERNEL(requantize_s8_s8),
            {{"size", op.output().elements()},
             {"input_zero_point", op.input(0).quantization.zero_point()},
             {"multiplier", multiplier.multiplier},
             {"shift", multiplier.shift},
             {"output_zero_point", zero},
             {"output_min", std::max(range.low, zero)},
             {"output_max", range.high}},
            {input, op.write()});
    permit_elements(op);
}

}  // namespace

const OperatorDefinition definitions::relu = {
    .type = "RELU",
    .types = "int8 -> int8",
    .compile_time_inputs = {},
    .constraints = {{"input and output are int8 with one scale each", int8_in_and_out},
                    {"the output has the input's shape", shape_is_kept},
                    {"the input's scale is below 2^30 times the output's", ratio_is_in_range}},
    .lower = lower,
};

}  // namespace ingot::ops
