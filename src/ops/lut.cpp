#include "ops/lut.h"

#include <algorithm>
#include <cmath>

#include "ops/constraints.h"
#include "ops/fixed_point.h"
#include "ops/overlap.h"
#include "ops/same.h"

extern "C" {
#include "lut_s8.h"
}

namespace ingot::ops {

bool is_int8_map(const OperatorView& op) {
    return int8_in_and_out(op) && shape_is_kept(op);
}

void lower_sigmoid_table(Lowering& lowering, std::int32_t (*function)(std::int32_t),
                         std::int32_t output_shift, std::int32_t output_offset) {
    const ir::Quantization& input = lowering.input(0).quantization;
    const double one = 1 << 27;
    const QuantizedMultiplier multiplier =
        quantize_multiplier(static_cast<double>(input.scale()) * one);
    // The largest difference that four integer bits hold.
    const double radius = std::floor(std::ldexp(15.0 * one, -multiplier.shift));
    std::vector<std::int8_t> table;
    for (std::int32_t code = -128; code <= 127; ++code) {
        const std::int32_t difference = code - input.zero_point();
        std::int32_t value = 0;
        if (difference <= -radius) {
            value = -128;
        } else if (difference >= radius) {
            value = 127;
        } else {
            const std::int32_t x = multiply_by_quantized_multiplier(difference, multiplier);
            value = rounding_divide_by_power_of_two(function(x), output_shift) + output_offset;
        }
        table.push_back(static_cast<std::int8_t>(std::clamp(value, -128, 127)));
    }
    const std::int64_t size = lowering.output().elements();
    const auto source = lowering.read(0);
    const auto constant = lowering.constant("table", table, static_cast<std::uint64_t>(size));
    lowering.call(INGOT_KERNEL(lut_s8), {{"size", size}}, {source, constant, lowering.write()});
    permit_elements(lowering);
}

}  // namespace ingot::ops
