#include "ir/types.h"

#include "support/arithmetic.h"

namespace ingot::ir {

std::string_view name(DataType type) {
    switch (type) {
        case DataType::float32:
            return "float32";
        case DataType::float16:
            return "float16";
        case DataType::int32:
            return "int32";
        case DataType::uint8:
            return "uint8";
        case DataType::int64:
            return "int64";
        case DataType::string:
            return "string";
        case DataType::boolean:
            return "bool";
        case DataType::int16:
            return "int16";
        case DataType::complex64:
            return "complex64";
        case DataType::int8:
            return "int8";
        case DataType::float64:
            return "float64";
        case DataType::complex128:
            return "complex128";
        case DataType::uint64:
            return "uint64";
        case DataType::resource:
            return "resource";
        case DataType::variant:
            return "variant";
        case DataType::uint32:
            return "uint32";
        case DataType::uint16:
            return "uint16";
        case DataType::int4:
            return "int4";
    }
    return "unknown";
}

std::size_t bits(DataType type) {
    switch (type) {
        case DataType::int4:
            return 4;
        case DataType::uint8:
        case DataType::int8:
        case DataType::boolean:
            return 8;
        case DataType::float16:
        case DataType::int16:
        case DataType::uint16:
            return 16;
        case DataType::float32:
        case DataType::int32:
        case DataType::uint32:
            return 32;
        case DataType::int64:
        case DataType::uint64:
        case DataType::float64:
        case DataType::complex64:
            return 64;
        case DataType::complex128:
            return 128;
        case DataType::string:
        case DataType::resource:
        case DataType::variant:
            return 0;
    }
    return 0;
}

std::optional<std::int64_t> element_count(const Shape& shape) {
    std::int64_t product = 1;
    bool empty = false;
    for (const std::int32_t dimension : shape) {
        if (dimension < 0) return std::nullopt;
        if (dimension == 0) {
            empty = true;
            continue;
        }
        const auto next = support::checked_multiply<std::int64_t>(product, dimension);
        if (!next) return std::nullopt;
        product = *next;
    }
    return empty ? 0 : product;
}

std::optional<std::int64_t> byte_count(DataType type, const Shape& shape) {
    const auto element_bits = static_cast<std::int64_t>(bits(type));
    const auto elements = element_count(shape);
    if (element_bits == 0 || !elements) return std::nullopt;
    const auto total = support::checked_multiply(*elements, element_bits);
    if (!total) return std::nullopt;
    return *total / 8 + (*total % 8 != 0 ? 1 : 0);
}

std::string to_text(const Shape& shape) {
    if (shape.empty()) return "scalar";
    std::string text;
    for (const std::int32_t dimension : shape) {
        if (!text.empty()) text += 'x';
        text += std::to_string(dimension);
    }
    return text;
}

}  // namespace ingot::ir
