// SLICE: a block of a tensor.
#include "ops/registry.h"
#include "ops/slices.h"

namespace ingot::ops {

namespace {

constexpr std::size_t kBegin = 1;  // operands
constexpr std::size_t kSize = 2;

bool types_are_supported(const OperatorView& op) {
    return slice_types_are_supported(op, 0);
}

bool ranks_agree(const OperatorView& op) {
    return op.input(0).shape.size() == op.output().shape.size() && op.input(0).shape.size() <= 8;
}

bool bounds_are_constant(const OperatorView& op) {
    const std::size_t rank = op.input(0).shape.size();
    return op.integers(kBegin).size() == rank && op.integers(kSize).size() == rank;
}

/// A size of -1 means all that is left.
bool output_shape_agrees(const OperatorView& op) {
    const std::vector<std::int64_t> begin = op.integers(kBegin);
    const std::vector<std::int64_t> size = op.integers(kSize);
    for (std::size_t i = 0; i < begin.size(); ++i) {
        const std::int64_t length = op.input(0).shape[i];
        if (begin[i] < 0 || begin[i] > length) return false;
        const std::int64_t left = length - begin[i];
        const std::int64_t wanted = size[i] == -1 ? left : size[i];
        if (wanted < 0 || wanted > left || op.output().shape[i] != wanted) return false;
    }
    return true;
}

void lower(Lowering& op) {
    lower_slices(op, 0, {op.integers(kBegin)});
}

}  // namespace

const OperatorDefinition definitions::slice = {
    .type = "SLICE",
    .types = "int8, int16, int32, float32, bool",
    .min_inputs = 3,
    .max_inputs = 3,
    .compile_time_inputs = {kBegin, kSize},
    .constraints = {{"input and output are both int8, int16, int32, float32 or bool",
                     types_are_supported},
                    {"input and output have the same number of dimensions, 8 at most", ranks_agree},
                    {"begin and size are constant int32 or int64, one for each dimension",
                     bounds_are_constant},
                    {"the block lies within the input and has the output's shape",
                     output_shape_agrees}},
    .lower = lower,
};

}  // namespace ingot::ops
