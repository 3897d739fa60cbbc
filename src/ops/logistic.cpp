// LOGISTIC: int8, by a table.
#include "ops/fixed_point.h"
#include "ops/lut.h"
#include "ops/registry.h"

namespace ingot::ops {

namespace {

bool output_zero_point_is_lowest(const OperatorView& op) {
    return op.output().quantization.zero_point() == -128;
}

void lower(Lowering& op) {
    lower_sigmoid_table(op, fixed_point_logistic, 23, -128);
}

}  // namespace

const OperatorDefinition definitions::logistic = {
    .type = "LOGISTIC",
    .types = "int8 -> int8",
    .compile_time_inputs = {},
    .constraints = {{"input and output are int8 with one scale each and of the same shape",
                     is_int8_map},
                    {"the output's zero point is -128", output_zero_point_is_lowest}},
    .lower = lower,
};

}  // namespace ingot::ops
