// Zip archives whose bytes depend on their contents only.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "support/files.h"

namespace ingot::cli {

/// The files as a zip archive: in the set's order, stored, dated 1 January 1980. They are not
/// compressed, because compressed bytes differ between versions of zlib.
std::string make_zip(const support::FileSet& files);

/// The files of an archive of at most 256 MiB unpacked. Throws Failure(io) when it is none.
support::FileSet read_zip(std::span<const std::uint8_t> bytes, const std::string& where);

}  // namespace ingot::cli
