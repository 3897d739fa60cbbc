// Folds PAD and PADV2 into the convolutions, pools and paddings that read them, so that the padded
// copy needs no memory.
//
// Exact: a convolution adds nothing for a tap on the code of its input's zero point, wherever that
// stands. A pool takes the added code into account as if it were there, so that the code is told
// to it; its own padding isn't counted and must be none. Padding of padding with the same code
// is one padding.
#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "passes/passes.h"

namespace ingot::passes {
namespace {

constexpr std::size_t kPaddings = 1;  // operands of PAD and PADV2
constexpr std::size_t kValue = 2;
constexpr std::size_t kHeight = 1;  // dimensions of an image
constexpr std::size_t kWidth = 2;

/// What a PAD adds around its input.
struct Padding {
    std::vector<std::int64_t> amounts;  ///< before and after, dimension by dimension
    std::vector<std::uint8_t> fill;     ///< bytes of one element
};

template <typename Integer>
std::vector<std::int64_t> numbers(const ir::Tensor& tensor) {
    std::vector<std::int64_t> result(tensor.data.size() / sizeof(Integer));
    for (std::size_t i = 0; i < result.size(); ++i) {
        Integer value{};
        std::memcpy(&value, tensor.data.data() + i * sizeof value, sizeof value);
        result[i] = value;
    }
    return result;
}

bool is_padding(const ir::Operator& op) {
    return (op.type == "PAD" && op.inputs.size() == 2) ||
           (op.type == "PADV2" && op.inputs.size() == 3);
}

bool same_codes(const ir::Tensor& a, const ir::Tensor& b) {
    return a.type == b.type && a.quantization.scales == b.quantization.scales &&
           a.quantization.zero_points == b.quantization.zero_points;
}

/// One element's bytes: int8 is filled with its zero point, every other type with code 0.
std::optional<std::vector<std::uint8_t>> fill(const ir::Graph& graph, const ir::Operator& op) {
    const ir::Tensor& output = graph.tensor(op.outputs[0]);
    if (op.type == "PAD") {
        std::vector<std::uint8_t> bytes(ir::bits(output.type) / 8, 0);
        if (output.type == ir::DataType::int8) {
            bytes[0] = static_cast<std::uint8_t>(output.quantization.zero_point());
        }
        return bytes;
    }
    if (op.inputs[kValue] == ir::kAbsent) return std::nullopt;
    const ir::Tensor& value = graph.tensor(op.inputs[kValue]);
    if (!value.constant || value.elements() != 1 || !same_codes(value, output)) return std::nullopt;
    return value.data;
}

/// Nothing when it isn't known, or isn't what makes the output's shape from the input's.
std::optional<Padding> padding(const ir::Graph& graph, const ir::Operator& op) {
    if (!is_padding(op) || op.outputs.size() != 1 || op.output(0) == ir::kAbsent ||
        op.input(0) == ir::kAbsent || op.input(kPaddings) == ir::kAbsent) {
        return std::nullopt;
    }
    const ir::Tensor& input = graph.tensor(op.inputs[0]);
    const ir::Tensor& output = graph.tensor(op.outputs[0]);
    const ir::Tensor& amounts = graph.tensor(op.inputs[kPaddings]);
    const auto rank = static_cast<std::int32_t>(input.shape.size());
    if (input.constant || input.variable || output.variable || !same_codes(input, output) ||
        output.shape.size() != input.shape.size() || !amounts.constant ||
        amounts.shape != ir::Shape{rank, 2}) {
        return std::nullopt;
    }
    Padding result;
    if (amounts.type == ir::DataType::int32) result.amounts = numbers<std::int32_t>(amounts);
    if (amounts.type == ir::DataType::int64) result.amounts = numbers<std::int64_t>(amounts);
    if (result.amounts.size() != 2 * input.shape.size()) return std::nullopt;
    for (std::size_t i = 0; i < input.shape.size(); ++i) {
        const std::int64_t before = result.amounts[2 * i];
        const std::int64_t after = result.amounts[2 * i + 1];
        // Amounts up to the output's size, so that sums don't overflow.
        if (input.shape[i] < 1 || before < 0 || after < 0 || before > output.shape[i] ||
            after > output.shape[i] || input.shape[i] + before + after != output.shape[i]) {
            return std::nullopt;
        }
    }
    auto value = fill(graph, op);
    if (!value) return std::nullopt;
    result.fill = std::move(*value);
    return result;
}

/// Whether only rows and columns of int8 images are added.
bool pads_images(const ir::Tensor& input, const Padding& padding) {
    const std::vector<std::int64_t>& a = padding.amounts;
    return input.type == ir::DataType::int8 && a.size() == 8 && a[0] == 0 && a[1] == 0 &&
           a[6] == 0 && a[7] == 0;
}

bool is_convolution(const ir::Operator& op) {
    return op.type == "CONV_2D" || op.type == "DEPTHWISE_CONV_2D";
}

bool is_pool(const ir::Operator& op) {
    return op.type == "AVERAGE_POOL_2D" || op.type == "MAX_POOL_2D";
}

/// Whether every window of a pool along a dimension lies within its padded input and covers an
/// element that isn't padding: the pool adds no padding of its own.
bool windows_meet_input(const ir::Graph& graph, const ir::Operator& pool, std::size_t dimension,
                        std::int64_t before, std::int64_t after) {
    const bool rows = dimension == kHeight;
    const std::int64_t filter = pool.attributes.get_int(rows ? "filter_height" : "filter_width");
    const std::int64_t stride = pool.attributes.get_int(rows ? "stride_h" : "stride_w");
    const std::int64_t padded = graph.tensor(pool.inputs[0]).shape[dimension];
    const std::int64_t count = graph.tensor(pool.outputs[0]).shape[dimension];
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (filter < 1 || filter > kMost || stride < 1 || stride > kMost || count < 1) return false;
    const std::int64_t last = (count - 1) * stride;  // where the last window begins
    return before < filter && last < padded - after && last + filter <= padded;
}

bool pool_takes(const ir::Graph& graph, const ir::Operator& pool, const Padding& padding) {
    const std::vector<std::int64_t>& a = padding.amounts;
    return pool.outputs.size() == 1 && pool.output(0) != ir::kAbsent &&
           graph.tensor(pool.outputs[0]).shape.size() == 4 &&
           windows_meet_input(graph, pool, kHeight, a[2], a[3]) &&
           windows_meet_input(graph, pool, kWidth, a[4], a[5]);
}

class Fuser {
  public:
    Fuser(ir::Graph& graph, PassResult& result)
        : graph_(graph), result_(result), readers_(graph.tensors.size()) {
        for (const ir::TensorIndex i : graph.outputs) readers(i).push_back(kOutside);
        for (std::size_t o = 0; o < graph.operators.size(); ++o) {
            for (const ir::TensorIndex i : graph.operators[o].inputs) {
                if (i != ir::kAbsent) readers(i).push_back(o);
            }
        }
    }

    void run() {
        std::vector<ir::Operator> kept;
        // In order: a padding that takes in the one before is then taken in with it.
        for (ir::Operator& op : graph_.operators) {
            if (fuse(op)) {
                ++result_.changes;
                ++result_.removed_operators;
            } else {
                kept.push_back(op);
            }
        }
        graph_.operators = std::move(kept);
    }

  private:
    static constexpr std::size_t kOutside = std::numeric_limits<std::size_t>::max();

    std::vector<std::size_t>& readers(ir::TensorIndex tensor) {
        return readers_.at(static_cast<std::size_t>(tensor));
    }

    bool fuse(const ir::Operator& op) {
        const std::optional<Padding> added = padding(graph_, op);
        if (!added) return false;
        const ir::TensorIndex padded = op.outputs[0];
        const ir::TensorIndex source = op.inputs[0];
        const std::vector<std::size_t>& all = readers(padded);
        const bool taken = std::all_of(all.begin(), all.end(), [&](std::size_t reader) {
            return reader != kOutside && takes(graph_.operators[reader], padded, *added);
        });
        if (all.empty() || !taken) return false;
        for (const std::size_t reader : all) {
            ir::Operator& taker = graph_.operators[reader];
            result_.details.push_back(ir::describe(graph_, taker) + " pads for " +
                                      ir::describe(graph_, op));
            give(taker, *added);
            taker.inputs[0] = source;
            readers(source).push_back(reader);
        }
        return true;
    }

    /// Whether an operator that reads the padded tensor can do without it.
    bool takes(const ir::Operator& op, ir::TensorIndex padded, const Padding& added) const {
        if (std::count(op.inputs.begin(), op.inputs.end(), padded) != 1 || op.inputs[0] != padded ||
            op.attributes.has("explicit_padding")) {
            return false;
        }
        if (is_padding(op)) {
            const std::optional<Padding> own = padding(graph_, op);
            return own && own->fill == added.fill;
        }
        const ir::Tensor& tensor = graph_.tensor(padded);
        if (!pads_images(tensor, added)) return false;
        const auto code = static_cast<std::int8_t>(added.fill[0]);
        if (is_convolution(op)) return code == tensor.quantization.zero_point();
        return is_pool(op) && pool_takes(graph_, op, added);
    }

    void give(ir::Operator& op, const Padding& added) {
        if (is_padding(op)) {
            std::vector<std::int64_t> sum = padding(graph_, op)->amounts;
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += added.amounts[i];
            op.inputs[kPaddings] = constant(sum);
            return;
        }
        const std::vector<std::int64_t>& a = added.amounts;
        op.attributes.set("explicit_padding", std::vector<std::int64_t>{a[2], a[3], a[4], a[5]});
        if (is_pool(op)) {
            op.attributes.set("explicit_padding_code",
                              std::int64_t{static_cast<std::int8_t>(added.fill[0])});
        }
    }

    /// A new tensor of paddings, two for each dimension.
    ir::TensorIndex constant(const std::vector<std::int64_t>& amounts) {
        ir::Tensor tensor;
        tensor.type = ir::DataType::int32;
        tensor.shape = {static_cast<std::int32_t>(amounts.size() / 2), 2};
        tensor.constant = true;
        for (const std::int64_t amount : amounts) {
            // Below the padded size, which fits int32.
            for (int bit = 0; bit < 32; bit += 8) {
                tensor.data.push_back(static_cast<std::uint8_t>(amount >> bit));
            }
        }
        graph_.tensors.push_back(std::move(tensor));
        readers_.emplace_back();
        return static_cast<ir::TensorIndex>(graph_.tensors.size() - 1);
    }

    ir::Graph& graph_;
    PassResult& result_;
    std::vector<std::vector<std::size_t>> readers_;  // by tensor: operators, or kOutside
};

void run_pass(ir::Graph& graph, const Environment&, PassResult& result) {
    Fuser(graph, result).run();
}

}  // namespace

const Pass& fuse_pad() {
    static const Pass pass = {
        "fuse-pad",
        "Folds PAD and PADV2 into the convolutions, pools and paddings that read them; padding "
        "with the zero point adds nothing to a convolution, and pools are told the added code.",
        true, run_pass};
    return pass;
}

}  // namespace ingot::passes
