#include "tflite/tensor.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "support/diagnostics.h"

namespace ingot::tflite {
namespace {

using support::ExitStatus;
using support::Failure;

/// Also the most elements; what is larger no microcontroller can address, and sizes below
/// this can be added up everywhere without care.
constexpr std::int64_t kMaxBytes = std::numeric_limits<std::int32_t>::max();

ir::DataType read_type(std::int8_t number, const std::string& where) {
    const auto type = static_cast<ir::DataType>(number);
    if (number < 0 || ir::name(type) == "unknown")
        throw Failure(ExitStatus::model, where,
                      fmt::format("element type {} is not supported", number));
    if (type == ir::DataType::string || type == ir::DataType::variant)
        throw Failure(ExitStatus::model, where,
                      fmt::format("element type {} is not supported: its elements have no fixed "
                                  "size",
                                  ir::name(type)));
    return type;
}

ir::Shape read_shape(const flatbuffers::Vector<std::int32_t>* file, const std::string& where) {
    ir::Shape shape;
    if (file == nullptr) return shape;
    if (file->size() > kMaxRank)
        throw Failure(
            ExitStatus::model, where,
            fmt::format("it has {} dimensions; at most {} are supported", file->size(), kMaxRank));
    for (const std::int32_t dimension : *file) {
        if (dimension == -1)
            throw Failure(ExitStatus::model, where,
                          fmt::format("the size of dimension {} is not fixed (-1)", shape.size()),
                          "convert the model with static shapes");
        if (dimension < 0)
            throw Failure(ExitStatus::model, where,
                          fmt::format("dimension {} is {}", shape.size(), dimension));
        shape.push_back(dimension);
    }
    return shape;
}

void check_size(const ir::Tensor& tensor, const std::string& where) {
    const auto elements = ir::element_count(tensor.shape);
    const auto bytes = ir::byte_count(tensor.type, tensor.shape);
    const bool sized = ir::bits(tensor.type) != 0;
    if (!elements || *elements > kMaxBytes || (sized && (!bytes || *bytes > kMaxBytes)))
        throw Failure(ExitStatus::model, where,
                      fmt::format("a tensor of {} {} elements is too large",
                                  ir::to_text(tensor.shape), ir::name(tensor.type)));
}

/// The range that a zero point must be in for codes of this type.
std::pair<std::int64_t, std::int64_t> code_range(ir::DataType type) {
    switch (type) {
        case ir::DataType::int4:
            return {-8, 7};
        case ir::DataType::int8:
            return {-128, 127};
        case ir::DataType::uint8:
            return {0, 255};
        case ir::DataType::int16:
            return {-32768, 32767};
        case ir::DataType::uint16:
            return {0, 65535};
        default:
            return {std::numeric_limits<std::int32_t>::min(),
                    std::numeric_limits<std::int32_t>::max()};
    }
}

void read_scales(const format::QuantizationParameters& file, const std::string& where,
                 ir::Quantization& quantization) {
    for (const float scale : *file.scale()) {
        // A negated comparison so that NaN is refused too.
        if (!(scale > 0.0F) || std::isinf(scale))
            throw Failure(ExitStatus::model, where,
                          fmt::format("quantisation scale {} is {}; it must be finite and above 0",
                                      quantization.scales.size(), scale));
        quantization.scales.push_back(scale);
    }
}

void read_zero_points(const format::QuantizationParameters& file, ir::DataType type,
                      const std::string& where, ir::Quantization& quantization) {
    const std::size_t count = file.zero_point() == nullptr ? 0 : file.zero_point()->size();
    const std::size_t scales = quantization.scales.size();
    if (count != scales)
        throw Failure(
            ExitStatus::model, where,
            fmt::format("it has {} quantisation scales but {} zero points", scales, count));
    const auto [least, most] = code_range(type);
    for (const std::int64_t zero_point : *file.zero_point()) {
        if (zero_point < least || zero_point > most)
            throw Failure(ExitStatus::model, where,
                          fmt::format("zero point {} is outside the range of {}", zero_point,
                                      ir::name(type)));
        quantization.zero_points.push_back(static_cast<std::int32_t>(zero_point));
    }
}

ir::Quantization read_quantization(const format::QuantizationParameters* file,
                                   const ir::Tensor& tensor, const std::string& where,
                                   Budget& budget) {
    ir::Quantization quantization;
    if (file == nullptr) return quantization;
    if (file->details_type() != 0)
        throw Failure(ExitStatus::model, where,
                      fmt::format("quantisation of kind {} is not supported: only one scale a "
                                  "tensor or a channel",
                                  file->details_type()));
    if (file->scale() == nullptr || file->scale()->size() == 0) return quantization;
    budget.charge(std::uint64_t{8} * file->scale()->size());
    read_scales(*file, where, quantization);
    read_zero_points(*file, tensor.type, where, quantization);
    quantization.axis = file->quantized_dimension();
    return quantization;
}

void read_value(const format::Model& model, const format::Tensor& file, const std::string& where,
                Budget& budget, ir::Tensor& tensor) {
    if (file.external_buffer() != 0)
        throw Failure(ExitStatus::model, where, "its data is in an external file",
                      "convert the model with its data inside");
    const auto* data = read_buffer(model, file.buffer(), where);
    if (data == nullptr) return;
    if (tensor.variable)
        throw Failure(ExitStatus::model, where,
                      "a variable tensor with an initial value is not supported");
    if (data->size() != tensor.bytes())
        throw Failure(ExitStatus::model, where,
                      fmt::format("buffer {} has {} bytes, but {} of shape {} takes {}",
                                  file.buffer(), data->size(), ir::name(tensor.type),
                                  ir::to_text(tensor.shape), tensor.bytes()));
    budget.charge(data->size());
    tensor.constant = true;
    tensor.data.assign(data->data(), data->data() + data->size());
}

}  // namespace

std::string read_string(const flatbuffers::String* text, Budget& budget) {
    if (text == nullptr) return {};
    budget.charge(text->size());
    return text->str();
}

const flatbuffers::Vector<std::uint8_t>* read_buffer(const format::Model& model,
                                                     std::uint32_t index,
                                                     const std::string& where) {
    const std::uint32_t count = model.buffers() == nullptr ? 0 : model.buffers()->size();
    // Files may leave out the buffer list altogether when no tensor is constant.
    if (index == 0 && count == 0) return nullptr;
    if (index >= count)
        throw Failure(ExitStatus::model, where,
                      fmt::format("it uses buffer {}, but the model has {}", index, count));
    const format::Buffer* buffer = model.buffers()->Get(index);
    if (buffer->offset() != 0 || buffer->size() != 0)
        throw Failure(ExitStatus::model, where,
                      fmt::format("buffer {} is stored outside the FlatBuffer, {} bytes at "
                                  "offset {}, which is not supported",
                                  index, buffer->size(), buffer->offset()),
                      "convert the model with its buffers inside the FlatBuffer");
    const auto* data = buffer->data();
    return data == nullptr || data->size() == 0 ? nullptr : data;
}

ir::Tensor read_tensor(const format::Model& model, const format::Tensor& file,
                       const std::string& where, Budget& budget) {
    budget.charge(sizeof(ir::Tensor));
    ir::Tensor tensor;
    tensor.name = read_string(file.name(), budget);
    tensor.type = read_type(file.type(), where);
    tensor.shape = read_shape(file.shape(), where);
    budget.charge(sizeof(std::int32_t) * tensor.shape.size());
    tensor.variable = file.is_variable();
    check_size(tensor, where);
    if (file.sparsity() != nullptr)
        throw Failure(ExitStatus::model, where, "sparse tensors are not supported",
                      "convert the model with dense weights");
    tensor.quantization = read_quantization(file.quantization(), tensor, where, budget);
    read_value(model, file, where, budget, tensor);
    return tensor;
}

}  // namespace ingot::tflite
