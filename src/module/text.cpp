#include "module/text.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace ingot::module {
namespace {

constexpr std::size_t kLongestComment = 160;  // characters
constexpr std::size_t kBytesPerRow = 16;
constexpr std::size_t kNumbersPerRow = 12;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Printable ASCII on one line: everything else becomes a question mark, once a character.
std::string one_line(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            result += c;
        } else if (byte < 0x80 || byte >= 0xc0) {  // not a continuation byte of UTF-8
            result += '?';
        }
        if (result.size() > kLongestComment) return result.substr(0, kLongestComment) + "...";
    }
    return result;
}

}  // namespace

std::string upper(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return result;
}

std::string identifier(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (!is_letter(c) && !is_digit(c)) c = '_';
    }
    if (result.empty() || is_digit(result.front())) result.insert(0, 1, '_');
    return result;
}

std::string comment_text(std::string_view text) {
    std::string result;
    for (const char c : one_line(text)) {
        const char before = result.empty() ? ' ' : result.back();
        const bool delimiter = (before == '*' && c == '/') || (before == '/' && c == '*') ||
                               (before == '/' && c == '/') || (before == '?' && c == '?');
        if (delimiter) result += ' ';
        result += c == '\\' ? '_' : c;
    }
    return result;
}

std::string markdown_text(std::string_view text) {
    std::string result;
    for (const char c : one_line(text)) {
        if (std::string_view("\\`*_[]<>|#&!").find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

std::string xml_text(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&apos;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string literal(std::int64_t value) {
    // -2147483648 is the negation of a number that does not fit int.
    if (value == std::numeric_limits<std::int32_t>::min()) return "INT32_MIN";
    return fmt::format("{}", value);
}

std::string literal(double value, std::string_view type) {
    const bool is_float = type == "float";
    if (std::isnan(value)) return is_float ? "NAN" : "(double)NAN";
    if (std::isinf(value)) {
        return fmt::format("{}{}INFINITY", value < 0 ? "-" : "", is_float ? "" : "(double)");
    }
    std::string text =
        is_float ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return is_float ? text + "f" : text;
}

bool needs_math_header(const program::FieldValue& value) {
    const double* number = std::get_if<double>(&value);
    return number != nullptr && !std::isfinite(*number);
}

std::string byte_rows(std::span<const std::uint8_t> bytes) {
    std::string result;
    result.reserve(bytes.size() * 5);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i % kBytesPerRow == 0) {
            result += i == 0 ? "    " : "\n    ";
        } else {
            result += ' ';
        }
        char digits[8];
        const auto end = std::to_chars(digits, digits + sizeof digits,
                                       static_cast<int>(static_cast<std::int8_t>(bytes[i])));
        result.append(digits, end.ptr);
        if (i + 1 != bytes.size()) result += ',';
    }
    return result;
}

std::string number_rows(const std::vector<std::int64_t>& numbers, std::size_t indent) {
    std::string result;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i != 0) {
            result += i % kNumbersPerRow == 0 ? ",\n" + std::string(indent, ' ') : ", ";
        }
        result += literal(numbers[i]);
    }
    return result;
}

std::string quantization_text(const ir::Quantization& quantization) {
    if (quantization.empty()) return "not quantised";
    if (quantization.per_channel()) {
        return fmt::format("per channel ({} scales)", quantization.scales.size());
    }
    return fmt::format("scale {}, zero point {}", quantization.scale(), quantization.zero_point());
}

std::string type_text(ir::DataType type, const ir::Shape& shape) {
    return fmt::format("{} {}", ir::to_text(shape), ir::name(type));
}

std::string numeric_version(std::string_view version) {
    if (!version.empty() && (version.front() == 'v' || version.front() == 'V')) {
        version.remove_prefix(1);
    }
    std::string result;
    std::size_t numbers = 0;
    for (std::size_t at = 0; at <= version.size(); ++numbers) {
        std::size_t end = at;
        while (end < version.size() && is_digit(version[end])) ++end;
        const bool leading_zero = end - at > 1 && version[at] == '0';
        if (end == at || end - at > 9 || leading_zero || numbers == 3) return "1.0.0";
        if (end < version.size() && version[end] != '.') return "1.0.0";
        result += (numbers == 0 ? "" : ".") + std::string(version.substr(at, end - at));
        at = end + 1;
    }
    for (; numbers < 3; ++numbers) result += ".0";
    return result;
}

std::string grouped(std::uint64_t number) {
    std::string digits = fmt::format("{}", number);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

}  // namespace ingot::module
