#include "ops/add_sub.h"
#include "ops/registry.h"

namespace ingot::ops {

namespace {

void lower_sub(Lowering& lowering) {
    lower_add_sub(lowering, -1, lowering.options().scales);
}

}  // namespace

const OperatorDefinition definitions::sub = {
    .type = "SUB",
    .types = "int8 x int8 -> int8",
    .min_inputs = 2,
    .max_inputs = 2,
    .compile_time_inputs = {},
    .constraints = add_sub_constraints(),
    .lower = lower_sub,
};

}  // namespace ingot::ops
