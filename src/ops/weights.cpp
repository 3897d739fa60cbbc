#include "ops/weights.h"

#include <algorithm>
#include <limits>

#include "ops/constraints.h"

namespace ingot::ops {

namespace {

double channel_ratio(const OperatorView& op, float filter_scale) {
    return scale_product_ratio(op.input(kInput).quantization.scale(), filter_scale,
                               op.output().quantization.scale(), ScaleArithmetic::f64);
}

}  // namespace

ChannelMultipliers channel_multipliers(const OperatorView& op, std::size_t channels) {
    const std::vector<float>& scales = op.input(kFilter).quantization.scales;
    ChannelMultipliers result;
    for (const float scale : scales) {
        const QuantizedMultiplier q = quantize_multiplier(channel_ratio(op, scale));
        result.multiplier.push_back(q.multiplier);
        result.shift.push_back(q.shift);
    }
    if (scales.size() == 1) {
        result.multiplier.resize(channels, result.multiplier[0]);
        result.shift.resize(channels, result.shift[0]);
    }
    return result;
}

bool channel_multipliers_in_range(const OperatorView& op) {
    const std::vector<float>& scales = op.input(kFilter).quantization.scales;
    return std::all_of(scales.begin(), scales.end(),
                       [&](float scale) { return multiplier_in_range(channel_ratio(op, scale)); });
}

bool bias_fits(const OperatorView& op, std::int64_t channels) {
    if (!op.has_input(kBias)) return true;
    const ir::Tensor& bias = op.input(kBias);
    return bias.type == ir::DataType::int32 && bias.elements() == channels;
}

bool weights_are_constant(const OperatorView& op) {
    return op.input(kFilter).constant && (!op.has_input(kBias) || op.input(kBias).constant);
}

std::vector<std::int8_t> filter_codes(const OperatorView& op) {
    const std::vector<std::uint8_t>& data = op.input(kFilter).data;
    std::vector<std::int8_t> codes(data.size());
    std::transform(data.begin(), data.end(), codes.begin(),
                   [](std::uint8_t byte) { return static_cast<std::int8_t>(byte); });
    return codes;
}

std::vector<std::int32_t> weight_sums(const OperatorView& op, std::size_t channels,
                                      std::int32_t filter_zero_point) {
    const std::vector<std::int8_t> codes = filter_codes(op);
    const std::vector<std::int64_t> bias = op.integers(kBias);
    const std::int64_t zero_point = op.input(kInput).quantization.zero_point();
    const std::size_t row = codes.size() / channels;
    std::vector<std::int32_t> sums;
    for (std::size_t c = 0; c < channels; ++c) {
        std::int64_t sum = 0;  // below 2^31 codes of 8 bits: cannot overflow, nor can the product
        for (std::size_t i = 0; i < row; ++i) sum += codes[c * row + i] - filter_zero_point;
        const std::int64_t folded = (bias.empty() ? 0 : bias[c]) - zero_point * sum;
        sums.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(folded)));
    }
    return sums;
}

bool strides_are_positive(const OperatorView& op) {
    const auto positive = [&](std::string_view key) {
        const std::int64_t value = op.option(key);
        return value >= 1 && value <= std::numeric_limits<std::int32_t>::max();
    };
    return positive("stride_h") && positive("stride_w") && positive("dilation_h_factor") &&
           positive("dilation_w_factor");
}

std::optional<Window> image_window(const OperatorView& op, std::size_t dimension) {
    const bool rows = dimension == kHeight;
    return padded_window(
        op, dimension, op.input(kFilter).shape[dimension],
        static_cast<std::int32_t>(op.option(rows ? "stride_h" : "stride_w")),
        static_cast<std::int32_t>(op.option(rows ? "dilation_h_factor" : "dilation_w_factor")));
}

program::FieldValues image_fields(const OperatorView& op) {
    const auto size = [](const ir::Tensor& tensor, std::size_t dimension) {
        return std::int64_t{tensor.shape[dimension]};
    };
    const ir::Tensor& input = op.input(kInput);
    const ir::Tensor& filter = op.input(kFilter);
    const ir::Tensor& output = op.output();
    const CodeRange range =
        *activation_range(op.option("fused_activation_function"), output.type, output.quantization);
    return {{"batches", size(input, kBatch)},
            {"input_height", size(input, kHeight)},
            {"input_width", size(input, kWidth)},
            {"input_channels", size(input, kChannels)},
            {"filter_height", size(filter, kHeight)},
            {"filter_width", size(filter, kWidth)},
            {"output_height", size(output, kHeight)},
            {"output_width", size(output, kWidth)},
            {"output_channels", size(output, kChannels)},
            {"stride_height", op.option("stride_h")},
            {"stride_width", op.option("stride_w")},
            {"dilation_height", op.option("dilation_h_factor")},
            {"dilation_width", op.option("dilation_w_factor")},
            {"pad_top", std::int64_t{image_window(op, kHeight)->pad_before}},
            {"pad_left", std::int64_t{image_window(op, kWidth)->pad_before}},
            {"output_offset", std::int64_t{output.quantization.zero_point()}},
            {"activation_min", std::int64_t{range.low}},
            {"activation_max", std::int64_t{range.high}}};
}

}  // namespace ingot::ops
