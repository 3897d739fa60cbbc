// Text for C, Markdown and CMake, made from numbers and from the model's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/types.h"
#include "program/kernel.h"

namespace ingot::module {

/// ASCII upper case.
std::string upper(std::string_view text);

/// `text` with everything outside [A-Za-z0-9_] turned into `_`, and a `_` before a leading digit.
std::string identifier(std::string_view text);

/// A name of the model's as the text of a C comment: printable ASCII on one line of at most 160
/// characters, without comment delimiters, trigraphs and backslashes.
std::string comment_text(std::string_view text);

/// A name of the model's as plain text of a Markdown paragraph or table cell.
std::string markdown_text(std::string_view text);

/// Text between or in quotes within the tags of XML: the five special characters escaped.
std::string xml_text(std::string_view text);

/// A C literal for a value of the given type, `int32_t`, `float` or `double`. Floating-point
/// literals round-trip; infinities and NaN are the macros of <math.h>.
std::string literal(std::int64_t value);
std::string literal(double value, std::string_view type);

/// Whether that literal needs <math.h>.
bool needs_math_header(const program::FieldValue& value);

/// The bytes as int8_t initialisers, indented, sixteen on a line; without a final newline.
std::string byte_rows(std::span<const std::uint8_t> bytes);

/// Numbers separated by commas, twelve on a line, continued lines indented by `indent`.
std::string number_rows(const std::vector<std::int64_t>& numbers, std::size_t indent);

/// `scale 0.0078125, zero point -3`, `per channel (16 scales)`, or `not quantised`.
std::string quantization_text(const ir::Quantization& quantization);

/// `1x16x16x3 int8`.
std::string type_text(ir::DataType type, const ir::Shape& shape);

/// A version as three numbers: without a leading `v`, completed by zeros; `1.0.0` when the text
/// is no such version.
std::string numeric_version(std::string_view version);

/// 12345678 as `12,345,678`.
std::string grouped(std::uint64_t number);

}  // namespace ingot::module
