// UTF-8: checking, counting, and making foreign text safe to print.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot::support {

/// Bytes of the longest prefix that is well-formed UTF-8 (Unicode 15, table 3-7); the whole
/// size when the text is.
std::size_t utf8_prefix(std::string_view text);

/// Number of code points of well-formed UTF-8.
std::size_t utf8_length(std::string_view text);

/// The text for a message: control characters and malformed bytes become `?`, and what is
/// longer than `limit` code points ends in `...`.
std::string printable(std::string_view text, std::size_t limit);

}  // namespace ingot::support
