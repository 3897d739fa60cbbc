#include <fmt/format.h>

#include <string>
#include <vector>

#include "ir/graph.h"

namespace ingot::ir {
namespace {

/// One character of a string: its code point (or nothing for a byte that is no UTF-8) and
/// its length in bytes.
struct Character {
    bool valid = false;
    std::uint32_t code = 0;
    std::size_t length = 1;
};

Character decode(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::uint32_t first = byte(0);
    if (first < 0x80) return {true, first, 1};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
    std::uint32_t code = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return {};
        code = (code << 6) | (byte(i) & 0x3FU);
    }
    // Overlong forms, surrogates and what lies beyond Unicode are no UTF-8 either.
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < kLeast[length] || code > 0x10FFFF || surrogate) return {};
    return {true, code, length};
}

/// Whether a character would move the cursor, end the line or turn the text's direction.
bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
           code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

std::string quoted(std::string_view name) {
    return "\"" + printable(name) + "\"";
}

std::string list(const std::vector<TensorIndex>& indices) {
    std::string text;
    for (const TensorIndex i : indices) {
        if (!text.empty()) text += ", ";
        text += i == kAbsent ? "-" : std::to_string(i);
    }
    return text;
}

std::string to_text(const Attribute& attribute) {
    struct Writer {
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(std::int64_t v) const { return std::to_string(v); }
        std::string operator()(double v) const { return fmt::format("{}", v); }
        std::string operator()(const std::string& v) const { return quoted(v); }
        std::string operator()(const std::vector<std::int64_t>& v) const {
            return fmt::format("[{}]", fmt::join(v, ", "));
        }
        std::string operator()(const std::vector<double>& v) const {
            return fmt::format("[{}]", fmt::join(v, ", "));
        }
    };
    return std::visit(Writer{}, attribute);
}

std::string to_text(const Quantization& q) {
    if (q.empty()) return "";
    if (q.per_channel()) return fmt::format(" {} scales on axis {}", q.scales.size(), q.axis);
    return fmt::format(" scale {} zero point {}", q.scale(), q.zero_point());
}

std::vector<bool> used_tensors(const Graph& graph) {
    std::vector<bool> used(graph.tensors.size());
    const auto mark = [&](const std::vector<TensorIndex>& indices) {
        for (const TensorIndex i : indices)
            if (i >= 0 && static_cast<std::size_t>(i) < used.size())
                used[static_cast<std::size_t>(i)] = true;
    };
    mark(graph.inputs);
    mark(graph.outputs);
    for (const Operator& op : graph.operators) {
        mark(op.inputs);
        mark(op.outputs);
    }
    return used;
}

std::string print_tensor(const Graph& graph, std::size_t i) {
    const Tensor& tensor = graph.tensors[i];
    return fmt::format("  tensor {} {} {}{}{}{}{} {}\n", i, name(tensor.type),
                       ir::to_text(tensor.shape), to_text(tensor.quantization),
                       tensor.constant ? " constant" : "", tensor.variable ? " variable" : "",
                       tensor.unread ? " unread" : "", quoted(tensor.name));
}

std::string print_operator(const Operator& op) {
    std::string text = fmt::format("  operator {} {}", op.index, op.type);
    if (op.type == "CUSTOM") text += " " + quoted(op.custom_name);
    text += fmt::format(" ({}) -> ({})", list(op.inputs), list(op.outputs));
    for (const auto& [key, value] : op.attributes.map()) text += " " + key + "=" + to_text(value);
    return text + "\n";
}

}  // namespace

std::string printable(std::string_view name, std::size_t limit) {
    std::string text;
    std::size_t characters = 0;
    std::size_t cut = 0;  // where `text` is to end when the name turns out to be too long
    while (!name.empty()) {
        if (characters + 3 == limit) cut = text.size();
        if (characters == limit) return text.substr(0, cut) + "...";
        const Character c = decode(name);
        if (!c.valid || is_control(c.code)) {
            text += '?';
        } else if (c.code == '"') {
            text += '\'';
        } else {
            text += name.substr(0, c.length);
        }
        name.remove_prefix(c.length);
        ++characters;
    }
    return text;
}

std::string describe(const Graph& graph, const Operator& op) {
    std::string text = fmt::format("operator {} ({}", op.index, op.type);
    if (op.type == "CUSTOM") text += " " + printable(op.custom_name);
    const TensorIndex output = op.output(0);
    if (output >= 0 && static_cast<std::size_t>(output) < graph.tensors.size()) {
        const std::string& name = graph.tensor(output).name;
        if (!name.empty()) text += " " + quoted(name);
    }
    return text + ")";
}

std::string describe(const Graph& graph, TensorIndex tensor) {
    std::string text = fmt::format("tensor {}", tensor);
    if (tensor >= 0 && static_cast<std::size_t>(tensor) < graph.tensors.size()) {
        const std::string& name = graph.tensor(tensor).name;
        if (!name.empty()) text += " (" + quoted(name) + ")";
    }
    return text;
}

std::string print(const Graph& graph) {
    std::string text = "graph " + quoted(graph.name) + "\n";
    text += fmt::format("  inputs ({})\n  outputs ({})\n", list(graph.inputs), list(graph.outputs));
    const std::vector<bool> used = used_tensors(graph);
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) text += print_tensor(graph, i);
    for (const Operator& op : graph.operators) text += print_operator(op);
    return text;
}

}  // namespace ingot::ir
