// NumPy's .npy files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ingot::support {

/// An array in C order, little-endian.
struct NpyArray {
    std::string type;  ///< kind and bytes of an element: `i1`, `u2`, `f4`, `b1`
    std::vector<std::uint64_t> shape;
    std::span<const std::uint8_t> data;  ///< inside the bytes that were parsed
};

/// Bytes of one element; 0 for a type in a form other than `i1`, `f4`, ….
std::size_t npy_element_size(const std::string& type);

/// Whether the bytes begin like a .npy file.
bool is_npy(std::span<const std::uint8_t> bytes);

/// Parses versions 1 to 3 of the format. `where` names the file in messages. Throws
/// Failure(io) when the file is not in the format, and for big-endian elements, Fortran order,
/// structured types and data that is shorter or longer than the shape says.
NpyArray parse_npy(std::span<const std::uint8_t> bytes, const std::string& where);

/// The header of version 1.0, padded to 64 bytes, and the data.
std::string write_npy(const NpyArray& array);

}  // namespace ingot::support
