// TANH: int8, by a table.
#include "ops/fixed_point.h"
#include "ops/lut.h"
#include "ops/registry.h"

namespace ingot::ops {

namespace {

void lower(Lowering& op) {
    lower_sigmoid_table(op, fixed_point_tanh, 24, 0);
}

}  // namespace

const OperatorDefinition definitions::tanh = {
    .type = "TANH",
    .types = "int8 -> int8",
    .compile_time_inputs = {},
    .constraints = {{"input and output are int8 with one scale each and of the same shape",
                     is_int8_map}},
    .lower = lower,
};

}  // namespace ingot::ops
