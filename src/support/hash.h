// SHA-256 (FIPS 180-4) by libsodium and CRC-32 by zlib.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ingot::support {

/// The SHA-256 of the bytes as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::span<const std::uint8_t> bytes);
std::string sha256_hex(std::string_view text);

/// The CRC-32 of IEEE 802.3: polynomial 0x04C11DB7, reflected, initial value and final XOR all
/// ones.
std::uint32_t crc32(std::span<const std::uint8_t> bytes);

}  // namespace ingot::support
