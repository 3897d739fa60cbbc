#include "ops/overlap.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ingot::ops {

namespace {

std::int64_t field(const program::FieldValues& fields, std::string_view name) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (found == fields.end()) throw std::logic_error("no field " + std::string(name));
    return std::get<std::int64_t>(found->second);
}

std::int64_t field_or_one(const program::FieldValues& fields, std::string_view name) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    return found == fields.end() ? 1 : std::get<std::int64_t>(found->second);
}

/// Windows along one dimension, and the bytes from position to position.
struct Axis {
    std::int64_t input = 1;   ///< positions
    std::int64_t output = 1;  ///< windows
    std::int64_t taps = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t pad = 0;  ///< positions of window 0 before the input; negative: it begins inside
    std::int64_t input_step = 1;
    std::int64_t output_step = 1;

    /// Where window i first reads the input; nothing when it lies in the padding.
    std::optional<std::int64_t> first_read(std::int64_t i) const {
        const std::int64_t origin = i * stride - pad;
        const std::int64_t tap = origin < 0 ? (dilation - 1 - origin) / dilation : 0;
        const std::int64_t position = origin + tap * dilation;
        if (tap >= taps || position >= input) return std::nullopt;
        return position;
    }

    /// The same seen from the other end.
    Axis mirrored() const {
        Axis result = *this;
        result.pad = (output - 1) * stride - pad + (taps - 1) * dilation - (input - 1);
        return result;
    }

    /// The largest of i * output_step - first_read(i) * input_step; nothing when no window reads.
    /// From the first window that begins inside of the input to the last one it is linear in i,
    /// so that its ends decide. Before, first_read stays below the dilation and is periodic,
    /// so that the last `dilation` windows decide.
    std::optional<std::int64_t> greatest_lead() const;
};

std::optional<std::int64_t> Axis::greatest_lead() const {
    // No real dilation is larger; with one that is, the tensor counts as read from its beginning.
    constexpr std::int64_t kMostTried = 65536;
    std::optional<std::int64_t> greatest;
    const auto consider = [&](std::int64_t i, std::optional<std::int64_t> position) {
        if (i < 0 || i >= output || !position) return;
        const std::int64_t lead = i * output_step - *position * input_step;
        greatest = std::max(greatest.value_or(lead), lead);
    };
    const std::int64_t inside = std::min(pad <= 0 ? 0 : (pad + stride - 1) / stride, output);
    const std::int64_t last = std::min((input - 1 + pad) / stride, output - 1);
    consider(inside, first_read(inside));
    if (last >= inside) consider(last, first_read(last));
    const std::int64_t tried = std::min(dilation, kMostTried);
    for (std::int64_t i = std::max<std::int64_t>(inside - tried, 0); i < inside; ++i) {
        consider(i, first_read(i));
    }
    if (dilation > kMostTried) consider(inside - 1, 0);
    return greatest;
}

/// Images and the windows that output pixels are made from, in bytes.
struct Windows {
    Axis batches;
    Axis rows;
    Axis columns;
    std::int64_t input_bytes = 0;
    std::int64_t output_bytes = 0;

    Windows mirrored() const {
        Windows result = *this;
        for (Axis* axis : {&result.batches, &result.rows, &result.columns}) {
            *axis = axis->mirrored();
        }
        return result;
    }

    /// The distance below the input. When pixel p is begun, p * output pixel bytes are written,
    /// and of its window and all later ones the first byte is still to be read; an earlier pixel
    /// never asks for more. `lag` is what the order within a pixel adds to that: bytes of the
    /// pixel that are written less the window's bytes that have become free, at its largest.
    std::int64_t least_distance(std::int64_t lag) const {
        const auto batch = batches.greatest_lead();
        const auto row = rows.greatest_lead();
        const auto column = columns.greatest_lead();
        if (!batch || !row || !column) return -input_bytes;
        return std::max(*batch + *row + *column + lag, -input_bytes);
    }

    /// `forwards` and `backwards` are the lags in either direction.
    Distances distances(std::int64_t forwards, std::int64_t backwards) const {
        const std::int64_t from_end = mirrored().least_distance(backwards);
        return {least_distance(forwards),
                std::max(from_end + input_bytes - output_bytes, -output_bytes)};
    }
};

/// The windows of a kernel whose fields have the usual names.
Windows windows(const program::FieldValues& fields, std::int64_t input_channels,
                std::int64_t output_channels) {
    Windows result;
    const auto axis = [&](const char* dimension, const char* pad) {
        const std::string name = dimension;
        return Axis{field(fields, "input_" + name),           field(fields, "output_" + name),
                    field(fields, "filter_" + name),          field(fields, "stride_" + name),
                    field_or_one(fields, "dilation_" + name), field(fields, pad)};
    };
    result.columns = axis("width", "pad_left");
    result.columns.input_step = input_channels;
    result.columns.output_step = output_channels;
    result.rows = axis("height", "pad_top");
    result.rows.input_step = result.columns.input * input_channels;
    result.rows.output_step = result.columns.output * output_channels;
    result.batches.input = result.batches.output = field(fields, "batches");
    result.batches.input_step = result.rows.input * result.rows.input_step;
    result.batches.output_step = result.rows.output * result.rows.output_step;
    result.input_bytes = result.batches.input * result.batches.input_step;
    result.output_bytes = result.batches.output * result.batches.output_step;
    return result;
}

}  // namespace

Distances conv_2d_distances(const program::FieldValues& fields) {
    const std::int64_t outputs = field(fields, "output_channels");
    const std::int64_t group_outputs = field(fields, "group_outputs");
    const std::int64_t group_inputs = field(fields, "filter_channels");
    // When a group's last channel is computed, all before are written, and its input channels
    // and those behind them are needed. It grows or falls from group to group: the first or the
    // last decides. Backwards it is the same.
    const std::int64_t last_group = outputs / group_outputs - 1;
    const std::int64_t lag = std::max(group_outputs - 1, outputs - 1 - last_group * group_inputs);
    return windows(fields, field(fields, "input_channels"), outputs).distances(lag, lag);
}

Distances depthwise_conv_2d_distances(const program::FieldValues& fields) {
    constexpr std::int64_t kBlock = 16;  // INGOT_DEPTHWISE_CONV_2D_S8_BLOCK
    const std::int64_t inputs = field(fields, "input_channels");
    const std::int64_t outputs = field(fields, "output_channels");
    const std::int64_t multiplier = field(fields, "depth_multiplier");
    // Forwards the last block decides, backwards the first one: before it most is written.
    const std::int64_t written = (outputs - 1) / kBlock * kBlock;
    const std::int64_t forwards = written - written / multiplier;
    const std::int64_t needed = std::min((kBlock - 1) / multiplier + 1, inputs);
    const std::int64_t backwards = std::max<std::int64_t>(outputs - kBlock - (inputs - needed), 0);
    return windows(fields, inputs, outputs).distances(forwards, outputs > kBlock ? backwards : 0);
}

Distances pool_2d_distances(const program::FieldValues& fields) {
    const std::int64_t channels = field(fields, "channels");
    return windows(fields, channels, channels).distances(0, 0);
}

Distances row_distances(std::int64_t rows, std::int64_t input_row, std::int64_t output_row) {
    // All of the row but its last byte is written while the input row is needed.
    const std::int64_t lead = std::max<std::int64_t>((rows - 1) * (output_row - input_row), 0);
    return {lead + output_row - 1, std::nullopt};
}

Distances element_distances(std::int64_t count, std::int64_t input_size, std::int64_t output_size) {
    // With k elements written, element k is the first still to be read: 1 <= k < count.
    const std::int64_t growth = output_size - input_size;
    return {growth > 0 ? (count - 1) * growth : growth, std::nullopt};
}

void permit_elements(Lowering& lowering) {
    const auto size = [](const ir::Tensor& tensor) {
        return static_cast<std::int64_t>(ir::bits(tensor.type) / 8);
    };
    lowering.permit({0}, element_distances(lowering.output().elements(), size(lowering.input(0)),
                                           size(lowering.output())));
}

Distances broadcast_distances(std::int64_t input_elements, std::int64_t output_elements) {
    // Along every dimension the output moves as far as the operand or farther: the distance is
    // largest at the last element, where both are at their ends.
    return {output_elements - input_elements, std::nullopt};
}

Distances pad_distances(std::int64_t input_bytes, std::int64_t row, std::int64_t last_row) {
    // Before a row is moved everything up to its place is written; padding only adds up.
    return {last_row - (input_bytes - row), std::nullopt};
}

Distances copy_rows_distances(std::int64_t rows, std::int64_t row, std::int64_t output_row,
                              std::int64_t offset) {
    // The calls before have written up to this one's place in the last row.
    if (offset > 0) return {(rows - 1) * output_row + offset, std::nullopt};
    // Row k is moved as a whole when row k - 1 is written; the last one decides.
    return {std::max<std::int64_t>((rows - 2) * (output_row - row), 0), std::nullopt};
}

}  // namespace ingot::ops
