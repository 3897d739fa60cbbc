#include "verify/elf.h"

#include <algorithm>
#include <stdexcept>

#include "support/diagnostics.h"

namespace ingot::verify {
namespace {

// Offsets in the ELF header and in a section header.
constexpr std::size_t kSectionTable = 0x20;
constexpr std::size_t kSectionCount = 0x30;
constexpr std::size_t kNameTable = 0x32;
constexpr std::size_t kHeaderSize = 40;
constexpr std::size_t kType = 4;
constexpr std::size_t kFlags = 8;
constexpr std::size_t kFileOffset = 16;
constexpr std::size_t kSize = 20;

// Of sh_type and sh_flags.
constexpr std::uint32_t kNoBits = 8;
constexpr std::uint32_t kWritable = 1;
constexpr std::uint32_t kAllocated = 2;
constexpr std::uint32_t kExecutable = 4;

std::size_t half(std::span<const std::uint8_t> bytes, std::size_t at) {
    return word(bytes, at) & 0xFFFFU;
}

std::string text(std::span<const std::uint8_t> bytes, std::size_t at) {
    if (at >= bytes.size()) throw std::out_of_range("text");
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    return std::string(begin, std::find(begin, bytes.end(), std::uint8_t{0}));
}

}  // namespace

std::uint32_t word(std::span<const std::uint8_t> bytes, std::size_t at) {
    if (at > bytes.size() || bytes.size() - at < 4) throw std::out_of_range("word");
    return bytes[at] | std::uint32_t{bytes[at + 1]} << 8U | std::uint32_t{bytes[at + 2]} << 16U |
           std::uint32_t{bytes[at + 3]} << 24U;
}

Image::Image(std::vector<std::uint8_t> bytes, const std::string& where) : bytes_(std::move(bytes)) {
    try {
        if (word(bytes_, 0) != 0x464C457FU || half(bytes_, 4) != 0x0101U) {
            throw std::out_of_range("magic");
        }
        const std::size_t table = word(bytes_, kSectionTable);
        const std::size_t names =
            word(bytes_, table + half(bytes_, kNameTable) * kHeaderSize + kFileOffset);
        for (std::size_t i = 0; i < half(bytes_, kSectionCount); ++i) {
            const std::size_t header = table + i * kHeaderSize;
            sections_[text(bytes_, names + word(bytes_, header))] = {
                word(bytes_, header + kType), word(bytes_, header + kFlags),
                word(bytes_, header + kFileOffset), word(bytes_, header + kSize)};
        }
    } catch (const std::out_of_range&) {
        throw support::Failure(support::ExitStatus::tool, where,
                               "the linker made no 32-bit little-endian ELF image");
    }
}

Sizes Image::sizes(const std::string& harness) const {
    Sizes result;
    for (const auto& [name, section] : sections_) {
        if ((section.flags & kAllocated) == 0 || name.rfind(harness, 0) == 0) continue;
        std::uint64_t& kind = (section.flags & kExecutable) != 0 ? result.text
                              : section.type == kNoBits          ? result.bss
                              : (section.flags & kWritable) != 0 ? result.data
                                                                 : result.rodata;
        kind += section.size;
    }
    return result;
}

std::span<const std::uint8_t> Image::contents(const std::string& section) const {
    const auto found = sections_.find(section);
    if (found == sections_.end()) return {};
    const auto [type, flags, offset, size] = found->second;
    if (offset > bytes_.size() || bytes_.size() - offset < size) return {};
    return std::span(bytes_).subspan(offset, size);
}

}  // namespace ingot::verify
