// SVDF: int8 with int8 or int16 state and time weights. As in the reference's integer path, the
// fused activation is ignored.
#include <cmath>

#include "ops/constraints.h"
#include "ops/overlap.h"
#include "ops/registry.h"

extern "C" {
#include "svdf_s8.h"
#include "svdf_s8_s16.h"
}

namespace ingot::ops {

namespace {

enum Operand : std::size_t { kInput, kFeatureWeights, kTimeWeights, kBias, kState };

/// Only the bias may be absent.
bool operands_are_there(const OperatorView& op) {
    return op.has_input(kState);
}

bool types_are_supported(const OperatorView& op) {
    const ir::DataType state = op.input(kState).type;
    return int8_in_and_out(op) && is_int8_activation(op.input(kFeatureWeights)) &&
           (state == ir::DataType::int8 || state == ir::DataType::int16) &&
           op.input(kTimeWeights).type == state && quantized_per_tensor(op.input(kState)) &&
           quantized_per_tensor(op.input(kTimeWeights));
}

bool weights_are_constant(const OperatorView& op) {
    return op.input(kFeatureWeights).constant && op.input(kTimeWeights).constant &&
           (!op.has_input(kBias) || op.input(kBias).constant);
}

bool ranks_are_two(const OperatorView& op) {
    return op.input(kInput).shape.size() == 2 && op.input(kFeatureWeights).shape.size() == 2 &&
           op.input(kTimeWeights).shape.size() == 2 && op.input(kState).shape.size() == 2 &&
           op.output().shape.size() == 2;
}

std::int64_t filters(const OperatorView& op) {
    return op.input(kFeatureWeights).shape[0];
}

std::int64_t memory_size(const OperatorView& op) {
    return op.input(kTimeWeights).shape[1];
}

bool rank_divides_filters(const OperatorView& op) {
    const std::int64_t rank = op.option("rank");
    return rank > 0 && filters(op) > 0 && filters(op) % rank == 0;
}

bool shapes_agree(const OperatorView& op) {
    const ir::Shape& input = op.input(kInput).shape;
    const ir::Shape& state = op.input(kState).shape;
    const std::int64_t units = filters(op) / op.option("rank");
    return op.input(kFeatureWeights).shape[1] == input[1] &&
           op.input(kTimeWeights).shape[0] == filters(op) && memory_size(op) > 0 &&
           state[0] == input[0] && state[1] == filters(op) * memory_size(op) &&
           op.output().shape[0] == input[0] && op.output().shape[1] == units;
}

bool state_is_variable(const OperatorView& op) {
    return op.input(kState).variable && !op.input(kState).constant;
}

bool bias_is_supported(const OperatorView& op) {
    if (!op.has_input(kBias)) return true;
    const ir::Tensor& bias = op.input(kBias);
    const double product = static_cast<double>(op.input(kState).quantization.scale()) *
                           static_cast<double>(op.input(kTimeWeights).quantization.scale());
    return bias.type == ir::DataType::int32 && bias.elements() == op.output().shape[1] &&
           std::abs(static_cast<double>(bias.quantization.scale()) - product) < 1.0e-5;
}

/// (a·b)/c, all of it in the same arithmetic, unlike scale_product_ratio.
double ratio(float a, float b, float c, ScaleArithmetic arithmetic) {
    if (arithmetic == ScaleArithmetic::f32) return static_cast<double>(a * b / c);
    return scale_product_ratio(a, b, c, arithmetic);
}

double state_ratio(const OperatorView& op, ScaleArithmetic arithmetic) {
    return ratio(op.input(kInput).quantization.scale(),
                 op.input(kFeatureWeights).quantization.scale(),
                 op.input(kState).quantization.scale(), arithmetic);
}

double output_ratio(const OperatorView& op, ScaleArithmetic arithmetic) {
    return ratio(op.input(kState).quantization.scale(), op.input(kTimeWeights).quantization.scale(),
                 op.output().quantization.scale(), arithmetic);
}

bool ratios_are_in_range(const OperatorView& op) {
    for (const auto arithmetic : {ScaleArithmetic::f32, ScaleArithmetic::f64}) {
        if (!multiplier_in_range(state_ratio(op, arithmetic))) return false;
        if (!multiplier_in_range(output_ratio(op, arithmetic))) return false;
    }
    return true;
}

/// For each filter, minus the input's zero point times the sum of its weights; wraps.
std::vector<std::int32_t> weight_sums(const OperatorView& op) {
    const std::vector<std::uint8_t>& weights = op.input(kFeatureWeights).data;
    const auto row = static_cast<std::size_t>(op.input(kInput).shape[1]);
    std::vector<std::int32_t> sums;
    for (std::size_t first = 0; first < weights.size(); first += row) {
        std::int64_t sum = 0;
        for (std::size_t i = first; i < first + row; ++i) {
            sum += static_cast<std::int8_t>(weights[i]);
        }
        sums.push_back(
            static_cast<std::int32_t>(-sum * op.input(kInput).quantization.zero_point()));
    }
    return sums;
}

void lower(Lowering& op) {
    const std::int64_t batches = op.input(kInput).shape[0];
    const std::int64_t rank = op.option("rank");
    const ScaleArithmetic scales = op.options().scales;
    const QuantizedMultiplier state = quantize_multiplier(state_ratio(op, scales));
    const QuantizedMultiplier output = quantize_multiplier(output_ratio(op, scales));
    const auto repeats = static_cast<std::uint64_t>(batches);
    op.step().macs = repeats * (static_cast<std::uint64_t>(op.input(kFeatureWeights).elements()) +
                                static_cast<std::uint64_t>(op.input(kTimeWeights).elements()));
    const auto input =
        op.read(kInput, op.input(kInput).bytes() * static_cast<std::uint64_t>(filters(op)));
    const auto features = op.read(kFeatureWeights, repeats * op.input(kFeatureWeights).bytes());
    const auto times = op.read(kTimeWeights, repeats * op.input(kTimeWeights).bytes());
    std::optional<program::TensorId> bias;
    if (op.has_input(kBias)) bias = op.read(kBias, repeats * op.input(kBias).bytes());
    const auto sums = op.constant("weight_sum", weight_sums(op),
                                  repeats * 4 * static_cast<std::uint64_t>(filters(op)));
    const auto memory = op.update(kState);
    const bool narrow = op.input(kState).type == ir::DataType::int8;
    op.call(narrow ? INGOT_KERNEL(svdf_s8) : INGOT_KERNEL(svdf_s8_s16),
            {{"batches", batches},
             {"input_size", op.input(kInput).shape[1]},
             {"units", filters(op) / rank},
             {"rank", rank},
             {"memory_size", memory_size(op)},
             {"state_multiplier", state.multiplier},
             {"state_shift", state.shift},
             {"state_offset", op.input(kState).quantization.zero_point()},
             {"output_multiplier", output.multiplier},
             {"output_shift", output.shift},
             {"output_offset", op.output().quantization.zero_point()}},
            {input, features, times, bias, sums, memory, op.write()});
    op.permit({kInput}, row_distances(batches, op.input(kInput).shape[1], filters(op) / rank));
}

}  // namespace

const OperatorDefinition definitions::svdf = {
    .type = "SVDF",
    .types = "int8 x int8 x int8 x int32 -> int8, int8 x int8 x int16 x int32 -> int8",
    .min_inputs = 3,
    .max_inputs = 5,
    .needs_options = true,
    .compile_time_inputs = {},
    .constraints =
        {{"there is a state", operands_are_there},
         {"input, feature weights and output are int8, state and time weights both int8 or both "
          "int16, with one scale each",
          types_are_supported},
         {"weights and bias are constant", weights_are_constant},
         {"input, weights, state and output have 2 dimensions", ranks_are_two},
         {"the rank is 1 or more and divides the number of filters", rank_divides_filters},
         {"the shapes of weights, state and output agree", shapes_agree},
         {"the state is a variable", state_is_variable},
         {"the bias is int32, one a unit, its scale within 1e-5 of state times time weights",
          bias_is_supported},
         {"the ratios of scales are above 0 and below 2^30", ratios_are_in_range}},
    .lower = lower,
};

}  // namespace ingot::ops
