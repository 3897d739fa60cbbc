#include "ops/add_sub.h"
#include "ops/registry.h"

namespace ingot::ops {

namespace {

void lower_add(Lowering& lowering) {
    // ADD forms its ratios in double in every version of the reference.
    lower_add_sub(lowering, 1, ScaleArithmetic::f64);
}

}  // namespace

const OperatorDefinition definitions::add = {
    .type = "ADD",
    .types = "int8 x int8 -> int8",
    .min_inputs = 2,
    .max_inputs = 2,
    .compile_time_inputs = {},
    .constraints = add_sub_constraints(),
    .lower = lower_add,
};

}  // namespace ingot::ops
