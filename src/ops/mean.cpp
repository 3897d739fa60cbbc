// MEAN: int8, over any dimensions.
#include <algorithm>
#include <bit>

#include "ops/constraints.h"
#include "ops/overlap.h"
#include "ops/registry.h"
#include "ops/same.h"

extern "C" {
#include "mean_s8.h"
}

namespace ingot::ops {

namespace {

constexpr std::size_t kAxes = 1;  // the operand

bool axes_are_constant(const OperatorView& op) {
    const ir::Tensor& axes = op.input(kAxes);
    return axes.constant && axes.shape.size() <= 1 &&
           (axes.type == ir::DataType::int32 || axes.type == ir::DataType::int64);
}

bool axes_are_dimensions(const OperatorView& op) {
    const std::vector<std::int64_t> axes = op.integers(kAxes);
    return std::all_of(axes.begin(), axes.end(), [&](std::int64_t axis) {
        return dimension(axis, op.input(0).shape.size()).has_value();
    });
}

bool rank_is_supported(const OperatorView& op) {
    return op.input(0).shape.size() <= 8 && op.input(0).elements() > 0;
}

/// For each dimension of the input, whether it is averaged over.
std::vector<bool> reduced_dimensions(const OperatorView& op) {
    std::vector<bool> reduced(op.input(0).shape.size(), false);
    for (const std::int64_t axis : op.integers(kAxes)) {
        reduced[*dimension(axis, reduced.size())] = true;
    }
    return reduced;
}

bool output_shape_agrees(const OperatorView& op) {
    const std::vector<bool> reduced = reduced_dimensions(op);
    ir::Shape expected;
    for (std::size_t i = 0; i < reduced.size(); ++i) {
        if (!reduced[i]) expected.push_back(op.input(0).shape[i]);
        if (reduced[i] && op.op().attributes.get_bool("keep_dims")) expected.push_back(1);
    }
    return op.output().shape == expected;
}

double ratio(const OperatorView& op) {
    return scale_ratio(op.input(0).quantization.scale(), op.output().quantization.scale(),
                       ScaleArithmetic::f64);
}

bool ratio_is_in_range(const OperatorView& op) {
    return multiplier_in_range(ratio(op));
}

/// Dimensions of one kind with their steps in the input, neighbours merged.
struct Dimensions {
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;

    void add(std::int64_t size, std::int64_t stride) {
        if (!sizes.empty() && strides.back() == stride * size) {
            sizes.back() *= size;
            strides.back() = stride;
        } else if (size != 1) {
            sizes.push_back(size);
            strides.push_back(stride);
        }
    }
};

/// The multiplier with the division by `count` folded in, as the reference does: as many bits
/// as the count has are moved from the shift into the dividend.
QuantizedMultiplier divided(QuantizedMultiplier multiplier, std::int64_t count) {
    const int log2 = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))) - 1;
    const int bits = std::min({log2, 32, 31 + multiplier.shift});
    const std::int64_t dividend = std::int64_t{multiplier.multiplier} * (std::int64_t{1} << bits);
    return {static_cast<std::int32_t>(dividend / count), multiplier.shift - bits};
}

void lower(Lowering& op) {
    const ir::Shape& shape = op.input(0).shape;
    const std::vector<bool> reduced = reduced_dimensions(op);
    Dimensions kept;
    Dimensions averaged;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        (reduced[i] ? averaged : kept).add(shape[i], extent(shape, i + 1, shape.size()));
    }
    const std::int64_t count = op.input(0).elements() / op.output().elements();
    const QuantizedMultiplier multiplier = divided(quantize_multiplier(ratio(op)), count);
    const std::int64_t zero_sum = -count * op.input(0).quantization.zero_point();
    const auto input = op.read(0);
    op.call(INGOT_KERNEL(mean_s8),
            {{"kept_rank", static_cast<std::int64_t>(kept.sizes.size())},
             {"kept_sizes", kept.sizes},
             {"kept_strides", kept.strides},
             {"reduced_rank", static_cast<std::int64_t>(averaged.sizes.size())},
             {"reduced_sizes", averaged.sizes},
             {"reduced_strides", averaged.strides},
             {"sum_offset", static_cast<std::int32_t>(zero_sum)},  // wraps as sums do
             {"multiplier", multiplier.multiplier},
             {"shift", multiplier.shift},
             {"output_offset", op.output().quantization.zero_point()}},
            {input, op.write()});
    // Output k is made from elements of which none lies before element k.
    op.permit({0}, {0, std::nullopt});
}

}  // namespace

const OperatorDefinition definitions::mean = {
    .type = "MEAN",
    .types = "int8 -> int8",
    .min_inputs = 2,
    .max_inputs = 2,
    .compile_time_inputs = {kAxes},
    .constraints = {{"input and output are int8 with one scale each", int8_in_and_out},
                    {"the input has elements and 8 dimensions at most", rank_is_supported},
                    {"axes are a constant int32 or int64 scalar or vector", axes_are_constant},
                    {"each axis is a dimension of the input", axes_are_dimensions},
                    {"the output has the input's shape without the axes (keep_dims: with 1)",
                     output_shape_agrees},
                    {"the input's scale is below 2^30 times the output's", ratio_is_in_range}},
    .lower = lower,
};

}  // namespace ingot::ops
