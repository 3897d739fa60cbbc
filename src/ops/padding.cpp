#include "ops/padding.h"

#include <algorithm>
#include <limits>

#include "ops/overlap.h"
#include "ops/same.h"

extern "C" {
#include "pad.h"
}

namespace ingot::ops {

namespace {

constexpr std::size_t kPaddings = 1;  // the operand

bool types_are_supported(const OperatorView& op) {
    const ir::DataType type = op.input(0).type;
    return type == op.output().type &&
           (type == ir::DataType::int8 || type == ir::DataType::int16 ||
            type == ir::DataType::int32 || type == ir::DataType::float32 ||
            type == ir::DataType::boolean);
}

bool ranks_agree(const OperatorView& op) {
    return op.input(0).shape.size() == op.output().shape.size() && op.input(0).shape.size() <= 8;
}

bool has_elements(const OperatorView& op) {
    return op.input(0).elements() > 0;
}

bool paddings_are_constant(const OperatorView& op) {
    const auto rank = static_cast<std::int32_t>(op.input(0).shape.size());
    return op.integers(kPaddings).size() == 2 * op.input(0).shape.size() &&
           op.input(kPaddings).shape == ir::Shape{rank, 2};
}

bool output_shape_agrees(const OperatorView& op) {
    const std::vector<std::int64_t> paddings = op.integers(kPaddings);
    for (std::size_t i = 0; i < op.input(0).shape.size(); ++i) {
        const std::int64_t output = op.output().shape[i];
        const std::int64_t before = paddings[2 * i];
        const std::int64_t after = paddings[2 * i + 1];
        if (before < 0 || after < 0 || before > output || after > output) return false;
        if (before + op.input(0).shape[i] + after != output) return false;
    }
    return true;
}

}  // namespace

std::vector<Constraint> padding_constraints() {
    return {
        {"input and output are both int8, int16, int32, float32 or bool", types_are_supported},
        {"input and output have the same number of dimensions, 8 at most", ranks_agree},
        {"the input has elements", has_elements},
        {"paddings are constant int32 or int64, two for each dimension", paddings_are_constant},
        {"paddings are 0 or more and make the output's shape from the input's",
         output_shape_agrees},
    };
}

void lower_padding(Lowering& lowering, std::optional<std::int32_t> fill) {
    const ir::Shape& input = lowering.input(0).shape;
    const ir::Shape& output = lowering.output().shape;
    const std::vector<std::int64_t> paddings = lowering.integers(kPaddings);
    const auto element = static_cast<std::int64_t>(ir::bits(lowering.input(0).type) / 8);
    // Dimensions from `inner` on are contiguous in both: only the outermost of them is padded.
    std::size_t inner = input.size();
    while (inner > 0) {
        --inner;
        if (paddings[2 * inner] + paddings[2 * inner + 1] > 0) break;
    }
    std::int64_t offset = 0;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
    for (std::size_t i = 0; i < input.size(); ++i) {
        const std::int64_t stride = extent(output, i + 1, output.size()) * element;
        offset += paddings[2 * i] * stride;
        if (i >= inner) continue;
        sizes.push_back(input[i]);
        strides.push_back(stride);
    }
    const std::int64_t row_bytes = extent(input, inner, input.size()) * element;
    const auto source = lowering.read(0);
    const auto value = fill ? std::nullopt : std::optional(lowering.read(2));
    lowering.call(INGOT_KERNEL(pad),
                  {{"output_bytes", static_cast<std::int64_t>(lowering.output().bytes())},
                   {"offset", offset},
                   {"row_bytes", row_bytes},
                   {"rank", static_cast<std::int64_t>(sizes.size())},
                   {"sizes", sizes},
                   {"strides", strides},
                   {"element_bytes", element},
                   {"fill", fill.value_or(0)}},
                  {source, value, lowering.write()});
    std::int64_t last_row = offset;
    for (std::size_t i = 0; i < sizes.size(); ++i) last_row += (sizes[i] - 1) * strides[i];
    lowering.permit({0}, pad_distances(static_cast<std::int64_t>(lowering.input(0).bytes()),
                                       row_bytes, last_row));
}

}  // namespace ingot::ops
