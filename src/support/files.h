// Reading whole files, and replacing a folder so that nobody ever sees half of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ingot::support {

/// Files by relative path with forward slashes; ordered, so that output is deterministic.
using FileSet = std::map<std::string, std::string>;

/// The bytes of a file. Throws Failure(io) when it cannot be read, is no regular file, or is
/// larger than `limit` bytes.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path,
                                    std::uint64_t limit = std::uint64_t{2} << 30);

/// Writes one file through a temporary sibling that is renamed when complete.
/// Throws Failure(io) and leaves an old file untouched when anything fails.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Writes `files` to a temporary sibling of `folder`, then renames it to `folder`, replacing
/// an old one. After a failure (full disk, no permission, a signal) the old folder is there
/// unchanged; the temporary is removed where possible. Throws Failure(io).
void write_folder_atomically(const std::filesystem::path& folder, const FileSet& files);

}  // namespace ingot::support
