#include "cli/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/utf8.h"

namespace ingot::cli {
namespace {

using nlohmann::json;

std::string memory_text(const json& arena) {
    const std::string memory = arena.at("memory");
    const std::string source = arena.at("source_memory");
    return arena.at("staged").get<bool>() ? memory + " < " + source : memory;
}

std::string bound_text(const json& arena) {
    if (!arena.contains("overlap_lower_bound")) return "";
    const bool optimal = arena.value("optimal", false);
    return grouped(arena.at("overlap_lower_bound")) + (optimal ? " (optimal)" : "");
}

std::vector<std::string> arena_row(const json& arena) {
    const auto used = arena.at("used").get<std::uint64_t>();
    std::vector<std::string> row = {arena.at("role"), memory_text(arena), grouped(used)};
    if (arena.at("limit").is_null()) {
        row.insert(row.end(), {"no limit", ""});
    } else {
        const auto limit = arena.at("limit").get<std::uint64_t>();
        const double share =
            limit == 0 ? 0.0 : 100.0 * static_cast<double>(used) / static_cast<double>(limit);
        row.insert(row.end(), {grouped(limit), fmt::format("{:.1f} %", share)});
    }
    row.push_back(bound_text(arena));
    return row;
}

// Where another order than the model's has a lower peak, or may have.
std::string order_text(const json& order) {
    if (order.is_null()) return "";
    const std::string least = grouped(order.at("least_peak"));
    const bool optimal = order.at("optimal");
    if (order.at("least_peak") == order.at("model_peak")) {
        if (optimal) return "";
        return fmt::format("the model's: peak {} bytes, none below {} is possible\n", least,
                           grouped(order.at("lower_bound")));
    }
    return fmt::format("{}: peak {} bytes{}, {} in the model's\n",
                       order.at("reordered").get<bool>()
                           ? "another than the model's"
                           : "the model's, as another gives no better plan",
                       least, optimal ? " (optimal)" : "", grouped(order.at("model_peak")));
}

std::string transform_text(const json& pass) {
    const auto changes = pass.at("changes").get<std::uint64_t>();
    if (!pass.at("enabled").get<bool>() || changes == 0) return "";
    return fmt::format("  {}: {} changes, {} operators and {} bytes of constants removed\n",
                       pass.at("name").get<std::string>(), changes,
                       grouped(pass.at("removed_operators")), grouped(pass.at("removed_bytes")));
}

}  // namespace

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], support::utf8_length(row[i]));
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string space(widths[i] - support::utf8_length(row[i]), ' ');
            line += "  " + (i < left ? row[i] + space : space + row[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string summary_text(const json& summary, const std::string& place, bool colours) {
    const json& totals = summary.at("totals");
    const std::string bold = colours ? "\x1b[1m" : "";
    const std::string plain = colours ? "\x1b[0m" : "";
    std::string text = bold + "module" + plain + "  " + place + "\n";
    std::vector<std::vector<std::string>> rows = {
        {"arena", "memory", "used", "limit", "", "lower bound"}};
    for (const json& arena : summary.at("arenas")) rows.push_back(arena_row(arena));
    text += table(rows, 2);
    text += fmt::format("{}totals{}  flash {}, RAM {} bytes; {} MACs, {} operators\n", bold, plain,
                        grouped(totals.at("flash")), grouped(totals.at("ram")),
                        grouped(totals.at("macs")), grouped(totals.at("operators")));
    const std::string order = order_text(summary.at("order"));
    if (!order.empty()) text += bold + "order" + plain + "   " + order;
    std::string transforms;
    for (const json& pass : summary.at("transforms")) transforms += transform_text(pass);
    if (!transforms.empty()) text += bold + "transforms" + plain + "\n" + transforms;
    return text;
}

}  // namespace ingot::cli
