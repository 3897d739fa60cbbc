#include "ops/pool_2d.h"

#include <cmath>

#include "ops/constraints.h"
#include "ops/overlap.h"

namespace ingot::ops {

namespace {

/// The most rows, columns and elements of a window: sums of its codes fit int32.
constexpr std::int64_t kLongestWindow = 65536;
constexpr std::int64_t kLargestWindow = std::int64_t{1} << 23;

std::int32_t option32(const OperatorView& op, std::string_view name) {
    return static_cast<std::int32_t>(op.option(name));
}

std::optional<Window> rows(const OperatorView& op) {
    return padded_window(op, 1, option32(op, "filter_height"), option32(op, "stride_h"), 1);
}

std::optional<Window> columns(const OperatorView& op) {
    return padded_window(op, 2, option32(op, "filter_width"), option32(op, "stride_w"), 1);
}

bool window_is_sane(const OperatorView& op) {
    for (const char* name : {"filter_height", "filter_width", "stride_h", "stride_w"}) {
        if (op.option(name) < 1 || op.option(name) > kLongestWindow) return false;
    }
    return op.option("filter_height") * op.option("filter_width") <= kLargestWindow;
}

bool quantisation_is_kept(const OperatorView& op) {
    const ir::Quantization& input = op.input(0).quantization;
    const ir::Quantization& output = op.output().quantization;
    return std::abs(input.scale() - output.scale()) <= 1.0e-6F &&
           input.zero_point() == output.zero_point();
}

/// With the output size that the window implies, every window covers an input element; with
/// explicit padding the pass fuse-pad has seen to that.
bool output_shape_fits(const OperatorView& op) {
    const ir::Shape& input = op.input(0).shape;
    const ir::Shape& output = op.output().shape;
    const auto height = rows(op);
    const auto width = columns(op);
    return height && width &&
           output == ir::Shape{input[0], height->output, width->output, input[3]};
}

bool is_image(const OperatorView& op) {
    return op.input(0).shape.size() == 4 && op.output().shape.size() == 4;
}

}  // namespace

std::vector<Constraint> pool_2d_constraints() {
    return {
        {"input and output are int8 with one scale each", int8_in_and_out},
        {"input and output have 4 dimensions", is_image},
        {"padding is SAME or VALID", padding_supported},
        {"window and strides are 1 to 65536, and the window has 2^23 elements or fewer",
         window_is_sane},
        {"the output has the shape that window, stride and padding give", output_shape_fits},
        {"scales differ by 1e-6 at most and zero points are equal", quantisation_is_kept},
        {"the fused activation is NONE, RELU, RELU_N1_TO_1 or RELU6", activation_supported},
    };
}

void lower_pool_2d(Lowering& lowering, const program::KernelEntry& kernel) {
    const ir::Shape& input = lowering.input(0).shape;
    const ir::Shape& output = lowering.output().shape;
    const CodeRange range = *activation_range(lowering.option("fused_activation_function"),
                                              ir::DataType::int8, lowering.output().quantization);
    // Elements that explicit padding adds have a code and count as the input's own do.
    const bool padded = lowering.op().attributes.has("explicit_padding");
    const std::vector<std::optional<program::TensorId>> arguments = {lowering.read(0),
                                                                     lowering.write()};
    const program::FieldValues fields = {{"batches", input[0]},
                                         {"input_height", input[1]},
                                         {"input_width", input[2]},
                                         {"channels", input[3]},
                                         {"output_height", output[1]},
                                         {"output_width", output[2]},
                                         {"filter_height", lowering.option("filter_height")},
                                         {"filter_width", lowering.option("filter_width")},
                                         {"stride_height", lowering.option("stride_h")},
                                         {"stride_width", lowering.option("stride_w")},
                                         {"pad_top", rows(lowering)->pad_before},
                                         {"pad_left", columns(lowering)->pad_before},
                                         {"pad_counts", padded ? 1 : 0},
                                         {"pad_code", lowering.option("explicit_padding_code")},
                                         {"activation_min", range.low},
                                         {"activation_max", range.high},
                                         {"backwards", 0}};
    lowering.call(kernel, fields, arguments);
    lowering.permit({0}, pool_2d_distances(fields));
}

}  // namespace ingot::ops
