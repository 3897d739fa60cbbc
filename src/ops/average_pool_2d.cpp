#include "ops/pool_2d.h"
#include "ops/registry.h"

extern "C" {
#include "average_pool_2d_s8.h"
}

namespace ingot::ops {

namespace {

void lower_average_pool_2d(Lowering& lowering) {
    lower_pool_2d(lowering, INGOT_KERNEL(average_pool_2d_s8));
}

}  // namespace

const OperatorDefinition definitions::average_pool_2d = {
    .type = "AVERAGE_POOL_2D",
    .types = "int8 -> int8",
    .needs_options = true,
    .compile_time_inputs = {},
    .constraints = pool_2d_constraints(),
    .lower = lower_average_pool_2d,
};

}  // namespace ingot::ops
