// Files that are part of the program itself: templates, kernel sources, platforms.
#pragma once

#include <string_view>
#include <vector>

namespace ingot::support {

/// The bytes of an embedded file, named by its path below the project
/// (`kernels/conv_2d_s8.c`). An unknown path is a fault in Ingot: throws std::logic_error.
std::string_view embedded_file(std::string_view path);

/// Whether such a file is embedded.
bool has_embedded_file(std::string_view path);

/// The paths of the embedded files that begin with `prefix`, in ascending order.
std::vector<std::string_view> embedded_files(std::string_view prefix);

}  // namespace ingot::support
