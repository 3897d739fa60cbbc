// SHA-256 (FIPS 180-4), by libsodium.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ingot::support {

/// The SHA-256 of the bytes as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::span<const std::uint8_t> bytes);
std::string sha256_hex(std::string_view text);

}  // namespace ingot::support
