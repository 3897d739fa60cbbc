// DEQUANTIZE: codes to float32.
#include "ops/constraints.h"
#include "ops/overlap.h"
#include "ops/registry.h"
#include "ops/same.h"

extern "C" {
#include "dequantize_s16_f32.h"
#include "dequantize_s8_f32.h"
#include "dequantize_u8_f32.h"
}

namespace ingot::ops {

namespace {

using ir::DataType;

bool types_are_supported(const OperatorView& op) {
    const DataType input = op.input(0).type;
    return (input == DataType::int8 || input == DataType::int16 || input == DataType::uint8) &&
           op.output().type == DataType::float32;
}

bool is_quantised(const OperatorView& op) {
    return quantized_per_tensor(op.input(0));
}

program::KernelEntry kernel(DataType input) {
    switch (input) {
        case DataType::int16:
            return INGOT_KERNEL(dequantize_s16_f32);
        case DataType::uint8:
            return INGOT_KERNEL(dequantize_u8_f32);
        default:
            return INGOT_KERNEL(dequantize_s8_f32);
    }
}

void lower(Lowering& op) {
    const ir::Quantization& quantization = op.input(0).quantization;
    const auto input = op.read(0);
    op.call(kernel(op.input(0).type),
            {{"size", op.output().elements()},
             {"scale", static_cast<double>(quantization.scale())},
             {"zero_point", quantization.zero_point()}},
            {input, op.write()});
    permit_elements(op);
}

}  // namespace

const OperatorDefinition definitions::dequantize = {
    .type = "DEQUANTIZE",
    .types = "int8, int16, uint8 -> float32",
    .compile_time_inputs = {},
    .constraints = {{"the input is int8, int16 or uint8 and the output float32",
                     types_are_supported},
                    {"the input has one scale and a zero point within its type", is_quantised},
                    {"the output has the input's shape", shape_is_kept}},
    .lower = lower,
};

}  // namespace ingot::ops
