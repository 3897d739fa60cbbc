// CONV_2D: int8, with groups, dilation and one scale or one for each output channel. Constant
// weights: the input's zero point and the bias are folded into weight_sum.
#include "ops/constraints.h"
#include "ops/overlap.h"
#include "ops/registry.h"
#include "ops/weights.h"

extern "C" {
#include "conv_2d_s8.h"
}

namespace ingot::ops {

namespace {

std::int32_t output_channels(const OperatorView& op) {
    return op.input(kFilter).shape[0];
}

std::int32_t groups(const OperatorView& op) {
    return op.input(kInput).shape[kChannels] / op.input(kFilter).shape[kChannels];
}

bool filter_is_supported(const OperatorView& op) {
    const ir::Tensor& filter = op.input(kFilter);
    return filter.type == ir::DataType::int8 && filter.bytes() > 0 && quantized_along(filter, 0);
}

bool ranks_are_four(const OperatorView& op) {
    return op.input(kInput).shape.size() == 4 && op.input(kFilter).shape.size() == 4 &&
           op.output().shape.size() == 4;
}

bool groups_divide(const OperatorView& op) {
    return op.input(kInput).shape[kChannels] % op.input(kFilter).shape[kChannels] == 0 &&
           output_channels(op) % groups(op) == 0;
}

bool output_shape_agrees(const OperatorView& op) {
    const auto rows = image_window(op, kHeight);
    const auto columns = image_window(op, kWidth);
    return rows && columns &&
           op.output().shape == ir::Shape{op.input(kInput).shape[kBatch], rows->output,
                                          columns->output, output_channels(op)};
}

std::uint64_t macs(const OperatorView& op) {
    return static_cast<std::uint64_t>(op.output().elements()) *
           static_cast<std::uint64_t>(op.input(kFilter).elements() / output_channels(op));
}

void lower(Lowering& op) {
    const auto channels = static_cast<std::size_t>(output_channels(op));
    const bool folded = weights_are_constant(op);
    const std::uint64_t touched = 4 * static_cast<std::uint64_t>(op.output().elements());
    op.step().macs = macs(op);
    op.step().note = folded ? "portable, input offset and bias folded" : "portable";
    // Every multiplication reads a byte of each: weights once for each output pixel.
    const auto input = op.read(kInput, macs(op));
    const auto filter = op.read(kFilter, macs(op));
    std::optional<program::TensorId> sum;
    if (folded) {
        if (op.has_input(kBias)) op.fold(kBias);
        sum = op.constant("weight_sum", weight_sums(op, channels, 0), touched);
        op.step().alternatives.push_back(
            {"conv_2d_s8", op.has_input(kBias) ? 0 : -static_cast<std::int64_t>(4 * channels),
             macs(op), "with bias and input offset apart it adds the offset to every input code"});
    } else if (op.has_input(kBias)) {
        sum = op.read(kBias, touched);
    }
    const ChannelMultipliers q = channel_multipliers(op, channels);
    const auto multiplier = op.constant("multiplier", q.multiplier, touched);
    const auto shift = op.constant("shift", q.shift, touched);
    const std::int64_t zero_point = op.input(kInput).quantization.zero_point();
    program::FieldValues fields = image_fields(op);
    fields.emplace_back("filter_channels", std::int64_t{op.input(kFilter).shape[kChannels]});
    fields.emplace_back("group_outputs", std::int64_t{output_channels(op) / groups(op)});
    fields.emplace_back("input_offset", folded ? 0 : -zero_point);
    fields.emplace_back("pad_value", folded ? zero_point : 0);
    fields.emplace_back("backwards", 0);
    op.call(INGOT_KERNEL(conv_2d_s8), fields, {input, filter, sum, multiplier, shift, op.write()});
    op.permit({kInput}, conv_2d_distances(fields));
}

}  // namespace

const OperatorDefinition definitions::conv_2d{
    .type = "CONV_2D",
    .types = "int8 x int8 (+ int32) -> int8",
    .min_inputs = 2,
    .max_inputs = 3,
    .needs_options = true,
    .constraints =
        {
            {"input and output are int8 with one scale and a zero point that is a code",
             int8_in_and_out},
            {"the filter is int8 with one scale, or one for each output channel along dimension 0",
             filter_is_supported},
            {"input, filter and output have four dimensions", ranks_are_four},
            {"the input's channels are a multiple of the filter's, and the output's of the groups",
             groups_divide},
            {"there are 1048576 output channels or fewer",
             [](const OperatorView& op) { return output_channels(op) <= kMostChannels; }},
            {"the bias is absent, or int32 with a value for each output channel",
             [](const OperatorView& op) { return bias_fits(op, output_channels(op)); }},
            {"strides and dilations are 1 or more", strides_are_positive},
            {"the padding is SAME or VALID", padding_supported},
            {"the output's shape is that of the windows, and positions fit int32",
             output_shape_agrees},
            {"the fused activation is NONE, RELU, RELU_N1_TO_1 or RELU6", activation_supported},
            {"the scale of input times filter is below 2^30 times that of the output",
             channel_multipliers_in_range},
        },
    .lower = lower,
};

}  // namespace ingot::ops
