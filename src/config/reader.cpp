#include "config/reader.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "support/arithmetic.h"
#include "support/suggest.h"

namespace ingot::config {
namespace {

constexpr std::uint64_t kLargestSize = std::uint64_t{1} << 40;
constexpr std::int64_t kLargestAlignment = 65536;

std::string mapped(std::string_view text, char first, char last, int shift) {
    std::string result(text);
    for (char& c : result) {
        if (c >= first && c <= last) c = static_cast<char>(c + shift);
    }
    return result;
}

// The whole text as a decimal number. YAML versions do not agree whether 010 is 8 or 10, so a
// leading zero is no number.
template <typename T>
std::optional<T> decimal(std::string_view text) {
    std::string_view digits = text;
    if constexpr (std::numeric_limits<T>::is_signed) {
        if (!digits.empty() && digits.front() == '-') digits.remove_prefix(1);
    }
    if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string join(const std::vector<std::string>& words, const char* last) {
    std::string result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) result += i + 1 == words.size() ? last : ", ";
        result += words[i];
    }
    return result;
}

}  // namespace

std::string lower(std::string_view text) {
    return mapped(text, 'A', 'Z', 'a' - 'A');
}
std::string upper(std::string_view text) {
    return mapped(text, 'a', 'z', 'A' - 'a');
}

std::optional<std::uint64_t> parse_size(const std::string& text) {
    std::string_view digits = text;
    std::uint64_t unit = 1;
    if (!digits.empty()) {
        const char last = digits.back();
        if (last == 'K' || last == 'k') unit = 1024;
        if (last == 'M' || last == 'm') unit = std::uint64_t{1024} * 1024;
        if (unit != 1) digits.remove_suffix(1);
    }
    const auto value = decimal<std::uint64_t>(digits);
    return value ? support::checked_multiply(*value, unit) : std::nullopt;
}

Reader Reader::for_flag(const std::string& flag, support::Diagnostics& diagnostics) {
    Reader reader(flag, diagnostics);
    reader.flag_ = true;
    return reader;
}

Origin Reader::origin(const Node& node) const {
    return flag_ ? Origin{file_, 0, 0} : Origin{file_, node.line, node.column};
}

void Reader::error(const Node& node, const std::string& message, const std::string& hint) {
    diagnostics_.error(origin(node).to_text(), message, hint);
}

void Reader::wrong_kind(const Node& node, const Name& name, const std::string& wanted) {
    error(node, name + " takes " + wanted + ", not " + describe(node));
}

std::optional<std::string> Reader::text(const Node& node, const Name& name) {
    if (node.is_scalar() && node.text.find('\0') == std::string::npos) return node.text;
    wrong_kind(node, name, "text");
    return std::nullopt;
}

std::optional<bool> Reader::boolean(const Node& node, const Name& name) {
    const std::string word = lower(node.text);
    if (node.is_scalar()) {
        if (word == "true" || word == "yes" || word == "on") return true;
        if (word == "false" || word == "no" || word == "off") return false;
    }
    wrong_kind(node, name, "true or false");
    return std::nullopt;
}

std::optional<std::int64_t> Reader::integer(const Node& node, const Name& name, std::int64_t least,
                                            std::int64_t most) {
    const auto value = node.is_scalar() ? decimal<std::int64_t>(node.text) : std::nullopt;
    if (value && *value >= least && *value <= most) return value;
    wrong_kind(node, name,
               "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
}

std::optional<double> Reader::number(const Node& node, const Name& name, double least) {
    double value = 0;
    const char* const end = node.text.data() + node.text.size();
    const auto result = std::from_chars(node.text.data(), end, value);
    if (node.is_scalar() && result.ec == std::errc{} && result.ptr == end && std::isfinite(value) &&
        value >= least) {
        return value;
    }
    wrong_kind(node, name, "a number of 0 or more");
    return std::nullopt;
}

std::optional<std::uint64_t> Reader::size(const Node& node, const Name& name) {
    const auto value = node.is_scalar() ? parse_size(node.text) : std::nullopt;
    if (value && *value <= kLargestSize) return value;
    wrong_kind(node, name, "a size in bytes such as 4096, 96K or 1M");
    return std::nullopt;
}

std::optional<std::uint64_t> Reader::alignment(const Node& node, const Name& name) {
    const auto value = node.is_scalar() ? parse_size(node.text) : std::nullopt;
    if (value && std::has_single_bit(*value) && *value <= kLargestAlignment) return value;
    wrong_kind(node, name, "a power of two from 1 to 65536");
    return std::nullopt;
}

std::optional<std::size_t> Reader::choice(const Node& node, const Name& name,
                                          const std::vector<std::string>& words) {
    if (!node.is_scalar()) {
        wrong_kind(node, name, join(words, " or "));
        return std::nullopt;
    }
    const auto found = std::find(words.begin(), words.end(), node.text);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    error(node, name + " takes " + join(words, " or ") + ", not " + describe(node),
          support::did_you_mean(node.text, words));
    return std::nullopt;
}

std::optional<std::vector<std::string>> Reader::texts(const Node& node, const Name& name) {
    if (node.is_scalar()) return std::vector<std::string>{node.text};
    if (!node.is_list()) {
        wrong_kind(node, name, "text or a list of texts");
        return std::nullopt;
    }
    std::vector<std::string> result;
    for (const NodePtr& item : node.items) {
        if (const auto word = text(*item, name)) result.push_back(*word);
    }
    return result;
}

void Reader::fields(const Node& node, const Name& name, const std::map<std::string, Field>& known) {
    if (!node.is_map()) return wrong_kind(node, name, "a map");
    for (const auto& [key, value] : node.entries) {
        const auto found = known.find(key->text);
        if (found != known.end()) {
            if (!value->is_null()) found->second(*value, name + "." + key->text);
            continue;
        }
        std::vector<std::string> names;
        for (const auto& row : known) names.push_back(row.first);
        std::string hint = support::did_you_mean(key->text, names);
        if (hint.empty()) hint = name + " has the keys " + join(names, " and ");
        error(*key, "unknown key " + in_quotes(key->text) + " in " + name, hint);
    }
}

void Reader::items(const Node& node, const Name& name, const Field& each) {
    if (!node.is_list()) return wrong_kind(node, name, "a list");
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        each(*node.items[i], name + "[" + std::to_string(i) + "]");
    }
}

}  // namespace ingot::config
