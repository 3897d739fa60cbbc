// CONCATENATION: each input's rows are copied to their places in the output's rows. An input that
// is one run of bytes there may be written into its place at once.
#include <algorithm>
#include <limits>
#include <map>

#include "ops/overlap.h"
#include "ops/registry.h"
#include "ops/same.h"

extern "C" {
#include "copy_rows.h"
}

namespace ingot::ops {

namespace {

using ir::DataType;

bool types_are_supported(const OperatorView& op) {
    const DataType type = op.output().type;
    if (type != DataType::int8 && type != DataType::int16 && type != DataType::int32 &&
        type != DataType::int64 && type != DataType::float32 && type != DataType::boolean) {
        return false;
    }
    for (std::size_t i = 0; i < op.op().inputs.size(); ++i) {
        if (!op.has_input(i) || op.input(i).type != type) return false;
    }
    return true;
}

bool has_no_activation(const OperatorView& op) {
    return op.option("fused_activation_function") == 0;
}

std::optional<std::size_t> axis(const OperatorView& op) {
    return dimension(op.option("axis"), op.output().shape.size());
}

bool axis_is_a_dimension(const OperatorView& op) {
    return axis(op).has_value();
}

bool shapes_agree(const OperatorView& op) {
    const ir::Shape& output = op.output().shape;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < op.op().inputs.size(); ++i) {
        ir::Shape shape = op.input(i).shape;
        if (shape.size() != output.size()) return false;
        sum += shape[*axis(op)];
        shape[*axis(op)] = output[*axis(op)];
        if (shape != output) return false;
    }
    return sum == output[*axis(op)];
}

/// Codes are copied: int8 must mean the same everywhere; int16 is symmetric, and as in the
/// reference its scales may differ.
bool quantisations_agree(const OperatorView& op) {
    const DataType type = op.output().type;
    for (std::size_t i = 0; i < op.op().inputs.size(); ++i) {
        if (type == DataType::int8 && !same_quantization(op.input(i), op.output())) return false;
        if (type == DataType::int16 && op.input(i).quantization.zero_point() != 0) return false;
    }
    return type != DataType::int16 || op.output().quantization.zero_point() == 0;
}

/// The operands that one tensor is, and how far the output must begin below it for all of them.
struct Copies {
    std::vector<std::size_t> operands;
    std::int64_t below = std::numeric_limits<std::int64_t>::min();
};

void lower(Lowering& op) {
    const ir::Shape& output = op.output().shape;
    const std::size_t joined = *axis(op);
    const std::int64_t rows = extent(output, 0, joined);
    const auto element = static_cast<std::int64_t>(ir::bits(op.output().type) / 8);
    const std::int64_t output_row = extent(output, joined, output.size()) * element;
    const auto target = op.write();
    std::int64_t offset = 0;
    std::map<ir::TensorIndex, Copies> copies;
    for (std::size_t i = 0; i < op.op().inputs.size(); ++i) {
        const ir::Shape& shape = op.input(i).shape;
        const std::int64_t row = extent(shape, joined, shape.size()) * element;
        if (row == 0) continue;  // an empty constant
        const auto source = op.read(i);
        op.call(INGOT_KERNEL(copy_rows),
                {{"rows", rows},
                 {"row_bytes", row},
                 {"output_stride", output_row},
                 {"output_offset", offset}},
                {source, target});
        if (rows == 1) op.part(source, target, offset);
        Copies& same = copies[op.op().input(i)];
        same.operands.push_back(i);
        same.below = std::max(same.below, copy_rows_distances(rows, row, output_row, offset).below);
        offset += row;
    }
    for (const auto& [tensor, same] : copies) op.permit(same.operands, {same.below, {}});
}

}  // namespace

const OperatorDefinition definitions::concatenation = {
    .type = "CONCATENATION",
    .types = "int8, int16, int32, int64, float32, bool",
    .max_inputs = 256,
    .needs_options = true,
    .compile_time_inputs = {},
    .constraints =
        {{"inputs and output are all int8, int16, int32, int64, float32 or bool",
          types_are_supported},
         {"the fused activation is NONE", has_no_activation},
         {"the axis is a dimension of the output", axis_is_a_dimension},
         {"the inputs' shapes add up to the output's along the axis and agree elsewhere",
          shapes_agree},
         {"int8 tensors have equal scales and zero points, int16 tensors zero points of 0",
          quantisations_agree}},
    .lower = lower,
};

}  // namespace ingot::ops
