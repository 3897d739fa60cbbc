// PAD: adds zeros around a tensor.
#include "ops/constraints.h"
#include "ops/padding.h"
#include "ops/registry.h"

namespace ingot::ops {

namespace {

bool int8_is_quantised(const OperatorView& op) {
    return op.output().type != ir::DataType::int8 || op.output().quantization.empty() ||
           quantized_per_tensor(op.output());
}

/// As in the reference, int8 is filled with its zero point, every other type with code 0.
void lower(Lowering& op) {
    const bool narrow = op.output().type == ir::DataType::int8;
    lower_padding(op, narrow ? op.output().quantization.zero_point() : 0);
}

std::vector<Constraint> constraints() {
    std::vector<Constraint> list = padding_constraints();
    list.push_back({"an int8 output has one scale or none", int8_is_quantised});
    return list;
}

}  // namespace

const OperatorDefinition definitions::pad = {
    .type = "PAD",
    .types = "int8, int16, int32, float32, bool",
    .min_inputs = 2,
    .max_inputs = 2,
    .compile_time_inputs = {1},
    .constraints = constraints(),
    .lower = lower,
};

}  // namespace ingot::ops
