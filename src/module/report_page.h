// The page with the interactive memory map: `ingot report`, and `documentation.html`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ingot::module {

/// What every page begins with, so that an old one is known and may be replaced.
inline constexpr const char* kPageMark = "<!doctype html>\n<!-- Made by Ingot ";

/// The HTML page of a memory map of report::memory_map. It needs no other file and no network, and
/// nothing in the map, a tensor's name for instance, is ever taken for HTML.
std::string report_page(const nlohmann::json& map);

}  // namespace ingot::module
