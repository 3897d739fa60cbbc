// Memory over time, drawn with characters: `ingot inspect --plan`.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ingot::cli {

struct PictureStyle {
    std::size_t width = 80;  ///< columns; less than kNarrowest is taken as that
    bool utf8 = false;       ///< blocks and lines; else ASCII only
    bool colours = false;    ///< ANSI colours
};

inline constexpr std::size_t kNarrowest = 40;

/// Draws a memory map of report::memory_map: the arenas and how full they are, then for every
/// scratch arena its tensors as boxes, time across and address up, and the tensors at its peak.
std::string plan_picture(const nlohmann::json& map, const PictureStyle& style);

/// The style for standard output: as wide as the terminal, UTF-8 when the locale is. `width` 0:
/// the terminal's, or 80 where there is none.
PictureStyle picture_style(std::size_t width, bool ascii, bool colours);

}  // namespace ingot::cli
