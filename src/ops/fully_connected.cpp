// FULLY_CONNECTED: int8. One scale for all weights: weights and weight_sum. A scale for each
// output: one packed constant, or, with run-time weights, a convolution of one pixel.
#include <cmath>

#include "ops/constraints.h"
#include "ops/overlap.h"
#include "ops/registry.h"
#include "ops/weights.h"

extern "C" {
#include "conv_2d_s8.h"
#include "fc_per_channel_packed_s8.h"
#include "fully_connected_s8.h"
}

namespace ingot::ops {

namespace {

std::int64_t outputs(const OperatorView& op) {
    return op.input(kFilter).shape[0];
}
std::int64_t depth(const OperatorView& op) {
    return op.input(kFilter).shape[1];
}
std::int64_t batches(const OperatorView& op) {
    return op.output().elements() / outputs(op);
}

bool filter_is_supported(const OperatorView& op) {
    const ir::Tensor& filter = op.input(kFilter);
    return filter.type == ir::DataType::int8 && filter.shape.size() == 2 && filter.shape[0] > 0 &&
           filter.shape[1] > 0 && quantized_along(filter, 0);
}

bool filter_zero_point_is_code(const OperatorView& op) {
    const ir::Tensor& filter = op.input(kFilter);
    return filter.quantization.per_channel() || quantized_per_tensor(filter);
}

bool shapes_agree(const OperatorView& op) {
    const ir::Shape& output = op.output().shape;
    return !output.empty() && output.back() == outputs(op) &&
           op.input(kInput).elements() == batches(op) * depth(op);
}

/// The reference refuses per-tensor layers whose bias is not in the accumulator's scale.
bool bias_scale_agrees(const OperatorView& op) {
    const ir::Quantization& filter = op.input(kFilter).quantization;
    if (!op.has_input(kBias) || filter.per_channel()) return true;
    const double product = static_cast<double>(op.input(kInput).quantization.scale()) *
                           static_cast<double>(filter.scale());
    const double bias = static_cast<double>(op.input(kBias).quantization.scale());
    const double output = static_cast<double>(op.output().quantization.scale());
    return std::abs(product - bias) / output <= 0.02;
}

std::uint64_t macs(const OperatorView& op) {
    return static_cast<std::uint64_t>(op.output().elements()) *
           static_cast<std::uint64_t>(depth(op));
}

/// Bytes moved of a constant with one int32 for each output: read once a batch.
std::uint64_t touched_sums(const OperatorView& op) {
    return 4 * static_cast<std::uint64_t>(op.output().elements());
}

program::FieldValues common_fields(const OperatorView& op) {
    const CodeRange range = *activation_range(op.option("fused_activation_function"),
                                              op.output().type, op.output().quantization);
    return {{"output_offset", std::int64_t{op.output().quantization.zero_point()}},
            {"activation_min", std::int64_t{range.low}},
            {"activation_max", std::int64_t{range.high}}};
}

void lower_per_tensor(Lowering& op) {
    const std::int32_t filter_zero_point = op.input(kFilter).quantization.zero_point();
    const bool folded = weights_are_constant(op);
    const QuantizedMultiplier q = quantize_multiplier(scale_product_ratio(
        op.input(kInput).quantization.scale(), op.input(kFilter).quantization.scale(),
        op.output().quantization.scale(), op.options().scales));
    const auto input = op.read(kInput, macs(op));
    const auto filter = op.read(kFilter, macs(op));
    std::optional<program::TensorId> sum;
    if (folded) {
        const auto channels = static_cast<std::size_t>(outputs(op));
        if (op.has_input(kBias)) op.fold(kBias);
        sum = op.constant("weight_sum", weight_sums(op, channels, filter_zero_point),
                          touched_sums(op));
        op.step().alternatives.push_back(
            {"fully_connected_s8", op.has_input(kBias) ? 0 : -4 * outputs(op), macs(op),
             "with bias and input offset apart it adds the offset to every input code"});
    } else if (op.has_input(kBias)) {
        sum = op.read(kBias, touched_sums(op));
    }
    const std::int64_t zero_point = op.input(kInput).quantization.zero_point();
    program::FieldValues fields = common_fields(op);
    fields.insert(fields.end(), {{"batches", batches(op)},
                                 {"depth", depth(op)},
                                 {"outputs", outputs(op)},
                                 {"input_offset", folded ? 0 : -zero_point},
                                 {"filter_offset", -std::int64_t{filter_zero_point}},
                                 {"multiplier", std::int64_t{q.multiplier}},
                                 {"shift", std::int64_t{q.shift}}});
    op.call(INGOT_KERNEL(fully_connected_s8), fields, {input, filter, sum, op.write()});
    op.permit({kInput}, row_distances(batches(op), depth(op), outputs(op)));
}

/// Appends an int32, least significant byte first.
void append(std::vector<std::int8_t>& bytes, std::int32_t value) {
    for (int shift = 0; shift < 32; shift += 8) {
        bytes.push_back(static_cast<std::int8_t>(static_cast<std::uint32_t>(value) >> shift));
    }
}

/// Rows of weights, weight sum, multiplier and shift; rows of zeros up to a multiple of four.
std::vector<std::int8_t> packed_rows(const OperatorView& op) {
    const auto channels = static_cast<std::size_t>(outputs(op));
    const auto row = static_cast<std::ptrdiff_t>(depth(op));
    const std::vector<std::int8_t> codes = filter_codes(op);
    const std::vector<std::int32_t> sums = weight_sums(op, channels, 0);
    const ChannelMultipliers q = channel_multipliers(op, channels);
    std::vector<std::int8_t> packed;
    for (std::size_t c = 0; c < channels; ++c) {
        const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(c) * row;
        packed.insert(packed.end(), begin, begin + row);
        append(packed, sums[c]);
        append(packed, q.multiplier[c]);
        append(packed, q.shift[c]);
    }
    packed.resize((channels + 3) / 4 * 4 * (static_cast<std::size_t>(row) + 12));
    return packed;
}

void lower_packed(Lowering& op) {
    op.fold(kFilter);
    if (op.has_input(kBias)) op.fold(kBias);
    const auto input = op.read(kInput, macs(op));
    const std::vector<std::int8_t> rows = packed_rows(op);
    const auto packed = op.constant("packed", rows, macs(op) + 3 * touched_sums(op));
    const std::int64_t plain = outputs(op) * (depth(op) + 12);
    op.step().alternatives.push_back(
        {"conv_2d_s8", plain - static_cast<std::int64_t>(rows.size()), 0,
         "as a 1x1 convolution it reads weights, sums, multipliers and shifts from four arrays in "
         "place of one"});
    program::FieldValues fields = common_fields(op);
    fields.insert(fields.end(),
                  {{"batches", batches(op)}, {"depth", depth(op)}, {"outputs", outputs(op)}});
    op.call(INGOT_KERNEL(fc_per_channel_packed_s8), fields, {input, packed, op.write()});
    op.permit({kInput}, row_distances(batches(op), depth(op), outputs(op)));
    op.step().has_init = false;  // the shared packed kernel needs none
}

/// Run-time weights with a scale for each output: nothing can be packed, so each batch is the
/// one pixel of a 1x1 convolution.
void lower_as_convolution(Lowering& op) {
    const ChannelMultipliers q = channel_multipliers(op, static_cast<std::size_t>(outputs(op)));
    const auto input = op.read(kInput, macs(op));
    const auto filter = op.read(kFilter, macs(op));
    std::optional<program::TensorId> bias;
    if (op.has_input(kBias)) bias = op.read(kBias, touched_sums(op));
    const auto multiplier = op.constant("multiplier", q.multiplier, touched_sums(op));
    const auto shift = op.constant("shift", q.shift, touched_sums(op));
    program::FieldValues fields = common_fields(op);
    for (const char* one :
         {"input_height", "input_width", "filter_height", "filter_width", "output_height",
          "output_width", "stride_height", "stride_width", "dilation_height", "dilation_width"}) {
        fields.emplace_back(one, std::int64_t{1});
    }
    const std::int64_t zero_point = op.input(kInput).quantization.zero_point();
    const std::int64_t none = 0;
    fields.insert(fields.end(), {{"batches", batches(op)},
                                 {"input_channels", depth(op)},
                                 {"filter_channels", depth(op)},
                                 {"output_channels", outputs(op)},
                                 {"group_outputs", outputs(op)},
                                 {"pad_top", none},
                                 {"pad_left", none},
                                 {"pad_value", none},
                                 {"backwards", none},
                                 {"input_offset", -zero_point}});
    op.call(INGOT_KERNEL(conv_2d_s8), fields, {input, filter, bias, multiplier, shift, op.write()});
    op.permit({kInput}, conv_2d_distances(fields));
}

void lower(Lowering& op) {
    op.step().macs = macs(op);
    if (!op.input(kFilter).quantization.per_channel()) {
        op.step().note = "portable";
        lower_per_tensor(op);
    } else if (weights_are_constant(op)) {
        op.step().note = "portable, all constants packed";
        lower_packed(op);
    } else {
        op.step().note = "portable, as a 1x1 convolution";
        lower_as_convolution(op);
    }
}

}  // namespace

const OperatorDefinition definitions::fully_connected{
    .type = "FULLY_CONNECTED",
    .types = "int8 x int8 (+ int32) -> int8",
    .min_inputs = 2,
    .max_inputs = 3,
    .needs_options = true,
    .constraints =
        {
            {"input and output are int8 with one scale and a zero point that is a code",
             int8_in_and_out},
            {"the weights are int8 with two dimensions and one scale, or one for each output along "
             "dimension 0",
             filter_is_supported},
            {"the zero point of weights with one scale is a code", filter_zero_point_is_code},
            {"the output's last dimension is the number of weight rows, and the input has the "
             "depth of the weights for each row of the output",
             shapes_agree},
            {"there are 1048576 outputs or fewer",
             [](const OperatorView& op) { return outputs(op) <= kMostChannels; }},
            {"the bias is absent, or int32 with a value for each output",
             [](const OperatorView& op) { return bias_fits(op, outputs(op)); }},
            {"the bias has the product of the scales of input and weights, to 2% of the output's "
             "scale",
             bias_scale_agrees},
            {"the weights are in the default format",
             [](const OperatorView& op) { return op.option("weights_format") == 0; }},
            {"the fused activation is NONE, RELU, RELU_N1_TO_1 or RELU6", activation_supported},
            {"the scale of input times weights is below 2^30 times that of the output",
             channel_multipliers_in_range},
        },
    .lower = lower,
};

}  // namespace ingot::ops
