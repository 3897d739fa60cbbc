#include "ops/slices.h"

#include <algorithm>

#include "ops/same.h"

extern "C" {
#include "slice.h"
}

namespace ingot::ops {

namespace {

/// One output as rows of the input, in bytes.
struct Block {
    std::int64_t offset = 0;  ///< of the first row
    std::int64_t row = 0;     ///< bytes of one
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;

    bool is_one_row() const { return sizes.empty(); }

    /// What must at least lie between the output's beginning and the input's, when in one go all
    /// of the output is written and `unread` is the first byte that later calls read. A row is
    /// moved as a whole; the second one is the nearest to where it goes, for rows are as far apart
    /// in the input as in the output or farther.
    std::int64_t below(std::int64_t bytes, std::int64_t unread) const {
        const std::int64_t others = bytes - unread;
        return is_one_row() ? others : std::max(others, row - offset - strides.back());
    }
};

Block block(const ir::Shape& input, const ir::Shape& output, const std::vector<std::int64_t>& begin,
            std::int64_t element) {
    // Dimensions behind `inner` are whole: with it they are contiguous in both.
    std::size_t inner = input.size();
    while (inner > 0) {
        --inner;
        if (input[inner] != output[inner]) break;
    }
    Block result;
    result.row = extent(output, inner, output.size()) * element;
    for (std::size_t i = 0; i < input.size(); ++i) {
        const std::int64_t stride = extent(input, i + 1, input.size()) * element;
        result.offset += begin[i] * stride;
        if (i >= inner || output[i] == 1) continue;
        result.sizes.push_back(output[i]);
        result.strides.push_back(stride);
    }
    return result;
}

}  // namespace

bool slice_types_are_supported(const OperatorView& op, std::size_t input) {
    const ir::DataType type = op.input(input).type;
    for (std::size_t i = 0; i < op.op().outputs.size(); ++i) {
        if (op.output(i).type != type) return false;
    }
    return type == ir::DataType::int8 || type == ir::DataType::int16 ||
           type == ir::DataType::int32 || type == ir::DataType::float32 ||
           type == ir::DataType::boolean;
}

bool pieces_agree(const OperatorView& op, std::size_t input, std::size_t axis,
                  const std::vector<std::int64_t>& sizes) {
    if (sizes.size() != op.op().outputs.size()) return false;
    std::int64_t left = op.input(input).shape[axis];
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 1 || sizes[i] > left) return false;
        left -= sizes[i];
        ir::Shape shape = op.input(input).shape;
        shape[axis] = static_cast<std::int32_t>(sizes[i]);
        if (op.output(i).shape != shape) return false;
    }
    return left == 0;
}

std::vector<std::vector<std::int64_t>> piece_begins(std::size_t rank, std::size_t axis,
                                                    const std::vector<std::int64_t>& sizes) {
    std::vector<std::vector<std::int64_t>> result;
    std::vector<std::int64_t> begin(rank, 0);
    for (const std::int64_t size : sizes) {
        result.push_back(begin);
        begin[axis] += size;
    }
    return result;
}

void lower_slices(Lowering& lowering, std::size_t input,
                  const std::vector<std::vector<std::int64_t>>& begins) {
    const ir::Tensor& source = lowering.input(input);
    const auto element = static_cast<std::int64_t>(ir::bits(source.type) / 8);
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        blocks.push_back(block(source.shape, lowering.output(i).shape, begins[i], element));
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block& b = blocks[i];
        const auto bytes = static_cast<std::int64_t>(lowering.output(i).bytes());
        const auto whole = lowering.read(input, static_cast<std::uint64_t>(bytes));
        const auto part = lowering.write(i);
        lowering.call(INGOT_KERNEL(slice),
                      {{"offset", b.offset},
                       {"row_bytes", b.row},
                       {"rank", static_cast<std::int64_t>(b.sizes.size())},
                       {"sizes", b.sizes},
                       {"strides", b.strides}},
                      {whole, part});
        if (b.is_one_row()) lowering.part(part, whole, b.offset);
        // Later pieces lie behind this one along the axis: the next is the nearest.
        const auto unread = i + 1 < blocks.size() ? blocks[i + 1].offset
                                                  : static_cast<std::int64_t>(source.bytes());
        lowering.permit({input}, {b.below(bytes, unread), {}}, i);
    }
}

}  // namespace ingot::ops
