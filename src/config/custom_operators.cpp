// `custom_operators`: operators that the application implements.
#include <cstdint>
#include <limits>
#include <optional>

#include "config/lists.h"

namespace ingot::config {
namespace {

constexpr std::int64_t kMostOutputs = 65536;
constexpr std::int64_t kLargestDimension = std::numeric_limits<std::int32_t>::max();

bool is_number(const Node& node) {
    return node.is_scalar() && !node.text.empty() &&
           node.text.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::int64_t> read_shape(Reader& reader, const Node& node, const Name& name) {
    std::vector<std::int64_t> shape;
    reader.items(node, name, [&](const Node& item, const Name& where) {
        shape.push_back(reader.integer(item, where, 0, kLargestDimension).value_or(0));
    });
    return shape;
}

// `int8`, or `{type: int8, shape: [1, 10]}`.
CustomOutput read_custom_output(Reader& reader, const Node& node, const Name& name) {
    CustomOutput output;
    if (!node.is_map()) {
        output.type = lower(reader.text(node, name).value_or(""));
        return output;
    }
    reader.fields(
        node, name,
        {{"type", [&](auto& n, auto& k) { output.type = lower(reader.text(n, k).value_or("")); }},
         {"shape", [&](auto& n, auto& k) { output.shape = read_shape(reader, n, k); }}});
    return output;
}

// A number, one output, or a list of them.
void read_custom_outputs(Reader& reader, const Node& node, const Name& name,
                         CustomOperator& custom) {
    if (is_number(node)) {
        custom.output_count = reader.integer(node, name, 0, kMostOutputs);
        return;
    }
    if (node.is_list()) {
        reader.items(node, name, [&](const Node& item, const Name& where) {
            custom.outputs.push_back(read_custom_output(reader, item, where));
        });
    } else {
        custom.outputs.push_back(read_custom_output(reader, node, name));
    }
    custom.output_count = static_cast<std::int64_t>(custom.outputs.size());
}

}  // namespace

std::vector<CustomOperator> read_custom_operators(Reader& reader, const Node& node,
                                                  const Name& name) {
    std::vector<CustomOperator> operators;
    reader.items(node, name, [&](const Node& item, const Name& where) {
        CustomOperator custom;
        custom.origin = reader.origin(item);
        std::optional<std::string> given;
        reader.fields(
            item, where,
            {{"name", [&](auto& n, auto& k) { given = reader.text(n, k); }},
             {"outputs", [&](auto& n, auto& k) { read_custom_outputs(reader, n, k, custom); }}});
        custom.name = given.value_or("");
        if (item.is_map() && custom.name.empty()) reader.error(item, where + " has no name");
        operators.push_back(std::move(custom));
    });
    return operators;
}

}  // namespace ingot::config
