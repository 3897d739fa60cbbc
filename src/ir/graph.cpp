#include "ir/graph.h"

#include <stdexcept>

namespace ingot::ir {

std::size_t Tensor::bytes() const {
    if (bits(type) == 0) return 0;
    const auto count = byte_count(type, shape);
    if (!count) throw std::logic_error("a tensor's size is not defined");
    return static_cast<std::size_t>(*count);
}

std::int64_t Tensor::elements() const {
    const auto count = element_count(shape);
    if (!count) throw std::logic_error("a tensor's element count is not defined");
    return *count;
}

namespace {

/// The attribute `key` when it is there and a T; else a null pointer.
template <typename T>
const T* find(const Attributes& attributes, std::string_view key) {
    const auto found = attributes.map().find(key);
    return found == attributes.map().end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace

std::int64_t Attributes::get_int(std::string_view key, std::int64_t fallback) const {
    const auto* value = find<std::int64_t>(*this, key);
    return value != nullptr ? *value : fallback;
}

double Attributes::get_float(std::string_view key, double fallback) const {
    const auto* value = find<double>(*this, key);
    return value != nullptr ? *value : fallback;
}

bool Attributes::get_bool(std::string_view key, bool fallback) const {
    const auto* value = find<bool>(*this, key);
    return value != nullptr ? *value : fallback;
}

std::vector<std::int64_t> Attributes::get_ints(std::string_view key) const {
    const auto* value = find<std::vector<std::int64_t>>(*this, key);
    return value != nullptr ? *value : std::vector<std::int64_t>{};
}

}  // namespace ingot::ir
