// The table that ends a conversion.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ingot::cli {

/// Module path, arenas, totals and what each transform removed, from driver::summary.
std::string summary_text(const nlohmann::json& summary, const std::string& place, bool colours);

/// Columns as wide as their widest cell; all but the first `left` are aligned to the right.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left);

/// 12345 as `12,345`.
std::string grouped(std::uint64_t number);

}  // namespace ingot::cli
