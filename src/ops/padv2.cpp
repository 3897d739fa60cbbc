// PADV2: adds a given value around a tensor.
#include "ops/padding.h"
#include "ops/registry.h"
#include "ops/same.h"

namespace ingot::ops {

namespace {

constexpr std::size_t kValue = 2;  // the operand

bool value_is_one_element(const OperatorView& op) {
    const ir::Tensor& value = op.input(kValue);
    return value.type == op.output().type && value.elements() == 1;
}

bool int8_value_has_output_quantisation(const OperatorView& op) {
    return op.output().type != ir::DataType::int8 ||
           same_quantization(op.input(kValue), op.output());
}

/// The value is known when it is constant, else it is read at run time.
void lower(Lowering& op) {
    const ir::Tensor& value = op.input(kValue);
    if (!value.constant) {
        lower_padding(op, std::nullopt);
        return;
    }
    std::uint32_t fill = 0;
    for (std::size_t i = value.data.size(); i-- > 0;) fill = fill << 8 | value.data[i];
    lower_padding(op, static_cast<std::int32_t>(fill));
}

std::vector<Constraint> constraints() {
    std::vector<Constraint> list = padding_constraints();
    list.push_back({"the value is one element of the output's type", value_is_one_element});
    list.push_back({"an int8 value has the output's scale and zero point",
                    int8_value_has_output_quantisation});
    return list;
}

}  // namespace

const OperatorDefinition definitions::padv2 = {
    .type = "PADV2",
    .types = "int8, int16, int32, float32, bool",
    .min_inputs = 3,
    .max_inputs = 3,
    .compile_time_inputs = {1, 2},
    .constraints = constraints(),
    .lower = lower,
};

}  // namespace ingot::ops
