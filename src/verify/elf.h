// What is read from a linked image: the sizes and bytes of its sections.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "verify/verify.h"

namespace ingot::verify {

/// An ELF image of a 32-bit little-endian machine (System V ABI, chapter 4).
class Image {
  public:
    /// Throws Failure(tool) when the bytes are no such image.
    Image(std::vector<std::uint8_t> bytes, const std::string& where);

    /// Bytes of the sections that are in memory, by what they hold, whatever their names: placement
    /// macros may name any. Left out are those whose name begins with `harness`.
    Sizes sizes(const std::string& harness) const;

    /// The contents of a section; empty without it.
    std::span<const std::uint8_t> contents(const std::string& section) const;

  private:
    struct Section {
        std::uint32_t type = 0;    ///< sh_type
        std::uint32_t flags = 0;   ///< sh_flags
        std::uint32_t offset = 0;  ///< in the file
        std::uint32_t size = 0;
    };

    std::vector<std::uint8_t> bytes_;
    std::map<std::string, Section> sections_;
};

/// The 32-bit little-endian number at `at`.
std::uint32_t word(std::span<const std::uint8_t> bytes, std::size_t at);

}  // namespace ingot::verify
