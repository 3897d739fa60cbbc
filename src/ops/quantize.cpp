// QUANTIZE: float32 to codes, or codes to codes of another type, scale or zero point.
#include <array>

#include "ops/constraints.h"
#include "ops/overlap.h"
#include "ops/registry.h"
#include "ops/same.h"
#include "ops/view.h"

extern "C" {
#include "quantize_f32_s16.h"
#include "quantize_f32_s8.h"
#include "quantize_f32_u8.h"
#include "requantize_s16_s16.h"
#include "requantize_s16_s32.h"
#include "requantize_s16_s8.h"
#include "requantize_s32_s16.h"
#include "requantize_s32_s8.h"
#include "requantize_s8_s16.h"
#include "requantize_s8_s32.h"
#include "requantize_s8_s8.h"
#include "requantize_s8_u8.h"
#include "requantize_u8_s16.h"
#include "requantize_u8_s8.h"
#include "requantize_u8_u8.h"
}

namespace ingot::ops {

namespace {

using ir::DataType;

struct Conversion {
    DataType input;
    DataType output;
    program::KernelEntry kernel;
};

const std::array kConversions = {
    Conversion{DataType::float32, DataType::int8, INGOT_KERNEL(quantize_f32_s8)},
    Conversion{DataType::float32, DataType::int16, INGOT_KERNEL(quantize_f32_s16)},
    Conversion{DataType::float32, DataType::uint8, INGOT_KERNEL(quantize_f32_u8)},
    Conversion{DataType::int8, DataType::int8, INGOT_KERNEL(requantize_s8_s8)},
    Conversion{DataType::int8, DataType::int16, INGOT_KERNEL(requantize_s8_s16)},
    Conversion{DataType::int8, DataType::int32, INGOT_KERNEL(requantize_s8_s32)},
    Conversion{DataType::int8, DataType::uint8, INGOT_KERNEL(requantize_s8_u8)},
    Conversion{DataType::int16, DataType::int8, INGOT_KERNEL(requantize_s16_s8)},
    Conversion{DataType::int16, DataType::int16, INGOT_KERNEL(requantize_s16_s16)},
    Conversion{DataType::int16, DataType::int32, INGOT_KERNEL(requantize_s16_s32)},
    Conversion{DataType::int32, DataType::int8, INGOT_KERNEL(requantize_s32_s8)},
    Conversion{DataType::int32, DataType::int16, INGOT_KERNEL(requantize_s32_s16)},
    Conversion{DataType::uint8, DataType::int8, INGOT_KERNEL(requantize_u8_s8)},
    Conversion{DataType::uint8, DataType::int16, INGOT_KERNEL(requantize_u8_s16)},
    Conversion{DataType::uint8, DataType::uint8, INGOT_KERNEL(requantize_u8_u8)},
};

const Conversion* conversion(const OperatorView& op) {
    for (const Conversion& row : kConversions) {
        if (row.input == op.input(0).type && row.output == op.output().type) return &row;
    }
    return nullptr;
}

bool is_from_float(const OperatorView& op) {
    return op.input(0).type == DataType::float32;
}

double ratio(const OperatorView& op) {
    return scale_ratio(op.input(0).quantization.scale(), op.output().quantization.scale(),
                       ScaleArithmetic::f64);
}

bool types_are_supported(const OperatorView& op) {
    return conversion(op) != nullptr;
}

bool is_quantised(const OperatorView& op) {
    return quantized_per_tensor(op.output()) &&
           (is_from_float(op) || quantized_per_tensor(op.input(0)));
}

bool ratio_is_in_range(const OperatorView& op) {
    return is_from_float(op) || multiplier_in_range(ratio(op));
}

/// The multiplier is then 1, which is 2^30 * 2^(1 - 31) and keeps every code.
bool keeps_codes(const OperatorView& op) {
    return op.input(0).type == op.output().type && !op.input(0).variable &&
           same_quantization(op.input(0), op.output());
}

void lower(Lowering& op) {
    if (keeps_codes(op)) {
        lower_view(op);
        return;
    }
    const ir::Quantization& input = op.input(0).quantization;
    const ir::Quantization& output = op.output().quantization;
    const CodeRange range = type_range(op.output().type);
    program::FieldValues fields = {
        {"size", op.output().elements()}, {"output_min", range.low}, {"output_max", range.high}};
    if (is_from_float(op)) {
        fields.emplace_back("scale", static_cast<double>(output.scale()));
        fields.emplace_back("zero_point", output.zero_point());
    } else {
        const QuantizedMultiplier multiplier = quantize_multiplier(ratio(op));
        fields.emplace_back("input_zero_point", input.zero_point());
        fields.emplace_back("multiplier", multiplier.multiplier);
        fields.emplace_back("shift", multiplier.shift);
        fields.emplace_back("output_zero_point", output.zero_point());
    }
    const auto source = op.read(0);
    op.call(conversion(op)->kernel, fields, {source, op.write()});
    permit_elements(op);
}

}  // namespace

const OperatorDefinition definitions::quantize = {
    .type = "QUANTIZE",
    .types =
        "float32 -> int8, int16, uint8; int8 -> int8, int16, int32, uint8; "
        "int16 -> int8, int16, int32; int32 -> int8, int16; uint8 -> int8, int16, uint8",
    .compile_time_inputs = {},
    .constraints = {{"the types are one of the supported pairs", types_are_supported},
                    {"integer tensors have one scale each, and zero points within their types",
                     is_quantised},
                    {"the output has the input's shape", shape_is_kept},
                    {"the input's scale is below 2^30 times the output's", ratio_is_in_range}},
    .lower = lower,
};

}  // namespace ingot::ops
