// What convolutions and fully connected layers have in common: output scales of channels, and
// the folding of the input's zero point and the bias into one constant.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ops/lowering.h"
#include "ops/numerics.h"

namespace ingot::ops {

/// Operands of CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED.
inline constexpr std::size_t kInput = 0;
inline constexpr std::size_t kFilter = 1;
inline constexpr std::size_t kBias = 2;

/// The multipliers and shifts of all output channels.
struct ChannelMultipliers {
    std::vector<std::int32_t> multiplier;
    std::vector<std::int32_t> shift;
};

/// QM(s_in * s_filter[c] / s_out) in double for each of `channels`; one filter scale serves all.
ChannelMultipliers channel_multipliers(const OperatorView& op, std::size_t channels);

/// All of these are in the range of multiplier_in_range.
bool channel_multipliers_in_range(const OperatorView& op);

/// The most output channels: bounds what is computed for each of them, also where run-time
/// weights of any size are declared by a small file.
inline constexpr std::int64_t kMostChannels = std::int64_t{1} << 20;

/// There is no bias, or it is int32 with `channels` values.
bool bias_fits(const OperatorView& op, std::int64_t channels);

/// The filter is constant, and so is the bias if there is one.
bool weights_are_constant(const OperatorView& op);

/// A constant filter's codes.
std::vector<std::int8_t> filter_codes(const OperatorView& op);

/// bias[c] - z_in * sum over row c of (filter - filter_zero_point), modulo 2^32, for a constant
/// filter of `channels` rows and a constant or absent bias.
std::vector<std::int32_t> weight_sums(const OperatorView& op, std::size_t channels,
                                      std::int32_t filter_zero_point);

/// Dimensions of images, and of filters of convolutions.
inline constexpr std::size_t kBatch = 0;
inline constexpr std::size_t kHeight = 1;
inline constexpr std::size_t kWidth = 2;
inline constexpr std::size_t kChannels = 3;

/// The strides, and the dilations, are 1 or more and fit int32.
bool strides_are_positive(const OperatorView& op);

/// The window of a convolution in dimension kHeight or kWidth of input and filter, which have
/// four dimensions.
std::optional<Window> image_window(const OperatorView& op, std::size_t dimension);

/// The fields of a convolution's descriptor that don't depend on how weights lie: sizes of
/// images and of the filter, strides, dilations, padding, zero point and range of the output.
program::FieldValues image_fields(const OperatorView& op);

}  // namespace ingot::ops
