// RELU6: int8. As in the reference, codes keep their scale, whatever the output's says.
#include "ops/constraints.h"
#include "ops/overlap.h"
#include "ops/registry.h"
#include "ops/same.h"

extern "C" {
#include "clamp_s8.h"
}

namespace ingot::ops {

namespace {

/// The codes of 0 and 6 in the input's quantisation.
std::optional<CodeRange> range(const OperatorView& op) {
    return activation_range(static_cast<std::int64_t>(Activation::relu6), ir::DataType::int8,
                            op.input(0).quantization);
}

bool six_is_a_code(const OperatorView& op) {
    return range(op).has_value();
}

void lower(Lowering& op) {
    const auto input = op.read(0);
    op.call(INGOT_KERNEL(clamp_s8),
            {{"size", op.output().elements()},
             {"output_min", range(op)->low},
             {"output_max", range(op)->high}},
            {input, op.write()});
    permit_elements(op);
}

}  // namespace

const OperatorDefinition definitions::relu6 = {
    .type = "RELU6",
    .types = "int8 -> int8",
    .compile_time_inputs = {},
    .constraints = {{"input and output are int8 with one scale each", int8_in_and_out},
                    {"the output has the input's shape", shape_is_kept},
                    {"6 divided by the input's scale fits int32", six_is_a_code}},
    .lower = lower,
};

}  // namespace ingot::ops
