#include "support/utf8.h"

#include <algorithm>
#include <cstdint>

namespace ingot::support {
namespace {

// Bytes of the code point at the front, 0 when it is malformed.
std::size_t code_point(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    const std::uint8_t second = byte(1);
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second > 0x9F;
    const bool too_large = first == 0xF4 && second > 0x8F;
    return overlong || surrogate || too_large ? 0 : length;
}

// C0 and C1 controls and the characters that turn the direction of text around.
bool disturbs_terminal(std::string_view point) {
    const auto first = static_cast<std::uint8_t>(point[0]);
    if (point.size() == 1) return first < 0x20 || first == 0x7F;
    const auto second = static_cast<std::uint8_t>(point[1]);
    if (point.size() == 2) return first == 0xC2 && second < 0xA0;
    if (point.size() != 3 || first != 0xE2) return false;
    const auto third = static_cast<std::uint8_t>(point[2]);
    return (second == 0x80 && (third >= 0xA8 && third <= 0xAE)) ||
           (second == 0x81 && (third >= 0xA6 && third <= 0xA9));
}

}  // namespace

std::size_t utf8_prefix(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = code_point(text.substr(at));
        if (length == 0) break;
        at += length;
    }
    return at;
}

std::size_t utf8_length(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<std::uint8_t>(c) & 0xC0) != 0x80;
    }));
}

std::string printable(std::string_view text, std::size_t limit) {
    std::string result;
    std::size_t points = 0;
    for (std::size_t at = 0; at < text.size(); ++points) {
        if (points == limit) return result + "...";
        const std::size_t length = code_point(text.substr(at));
        const std::string_view point = text.substr(at, std::max<std::size_t>(length, 1));
        if (length == 0 || disturbs_terminal(point)) {
            result += '?';
        } else {
            result += point;
        }
        at += point.size();
    }
    return result;
}

}  // namespace ingot::support
