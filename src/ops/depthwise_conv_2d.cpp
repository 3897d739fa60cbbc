// DEPTHWISE_CONV_2D: int8, with a depth multiplier, dilation and one scale or one for each
// output channel. The kernel applies the input's zero point, so nothing is folded.
#include "ops/constraints.h"
#include "ops/overlap.h"
#include "ops/registry.h"
#include "ops/weights.h"

extern "C" {
#include "depthwise_conv_2d_s8.h"
}

namespace ingot::ops {

namespace {

// A filter is 1 x height x width x output channels.
std::int32_t output_channels(const OperatorView& op) {
    return op.input(kFilter).shape[kChannels];
}

std::int32_t depth_multiplier(const OperatorView& op) {
    return output_channels(op) / op.input(kInput).shape[kChannels];
}

bool filter_is_supported(const OperatorView& op) {
    const ir::Tensor& filter = op.input(kFilter);
    return filter.type == ir::DataType::int8 && filter.bytes() > 0 && quantized_along(filter, 3);
}

bool ranks_are_four(const OperatorView& op) {
    return op.input(kInput).shape.size() == 4 && op.input(kFilter).shape.size() == 4 &&
           op.output().shape.size() == 4;
}

/// The reference computes with the option's multiplier; one that disagrees with the shapes
/// would read or write out of bounds there.
bool channels_agree(const OperatorView& op) {
    return op.input(kFilter).shape[kBatch] == 1 &&
           output_channels(op) % op.input(kInput).shape[kChannels] == 0 &&
           op.option("depth_multiplier") == depth_multiplier(op);
}

bool output_shape_agrees(const OperatorView& op) {
    const auto rows = image_window(op, kHeight);
    const auto columns = image_window(op, kWidth);
    return rows && columns &&
           op.output().shape == ir::Shape{op.input(kInput).shape[kBatch], rows->output,
                                          columns->output, output_channels(op)};
}

void lower(Lowering& op) {
    const auto elements = static_cast<std::uint64_t>(op.output().elements());
    const std::uint64_t macs =
        elements * static_cast<std::uint64_t>(op.input(kFilter).elements() / output_channels(op));
    op.step().macs = macs;
    op.step().note = "portable";
    // Every multiplication reads a byte of each; a bias, multiplier and shift is read for each
    // output.
    const auto input = op.read(kInput, macs);
    const auto filter = op.read(kFilter, macs);
    std::optional<program::TensorId> bias;
    if (op.has_input(kBias)) bias = op.read(kBias, 4 * elements);
    const ChannelMultipliers q =
        channel_multipliers(op, static_cast<std::size_t>(output_channels(op)));
    const auto multiplier = op.constant("multiplier", q.multiplier, 4 * elements);
    const auto shift = op.constant("shift", q.shift, 4 * elements);
    program::FieldValues fields = image_fields(op);
    fields.emplace_back("depth_multiplier", std::int64_t{depth_multiplier(op)});
    fields.emplace_back("input_offset", -std::int64_t{op.input(kInput).quantization.zero_point()});
    fields.emplace_back("backwards", 0);
    op.call(INGOT_KERNEL(depthwise_conv_2d_s8), fields,
            {input, filter, bias, multiplier, shift, op.write()});
    op.permit({kInput}, depthwise_conv_2d_distances(fields));
}

}  // namespace

const OperatorDefinition definitions::depthwise_conv_2d{
    .type = "DEPTHWISE_CONV_2D",
    .types = "int8 x int8 (+ int32) -> int8",
    .min_inputs = 2,
    .max_inputs = 3,
    .needs_options = true,
    .constraints =
        {
            {"input and output are int8 with one scale and a zero point that is a code",
             int8_in_and_out},
            {"the filter is int8 with one scale, or one for each output channel along dimension 3",
             filter_is_supported},
            {"input, filter and output have four dimensions", ranks_are_four},
            {"the filter's first dimension is 1, and its channels are the input's times the depth "
             "multiplier",
             channels_agree},
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
