// The comparison of two residency reports.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::report {

inline constexpr int kDiffSchema = 1;  ///< `schema_version` of the difference as JSON

/// Where a report says a tensor is.
struct TensorPlace {
    std::string role;
    std::string memory;
    std::string source_memory;
    std::uint64_t offset = 0;  ///< bytes
    std::uint64_t size = 0;    ///< bytes

    bool operator==(const TensorPlace&) const = default;
};

/// One tensor that isn't the same in both; absent on a side where it doesn't exist.
struct TensorChange {
    std::string id;
    std::optional<TensorPlace> before;
    std::optional<TensorPlace> after;

    /// `appeared`, `disappeared`, or those that apply of `role`, `memory`, `source`, `moved`,
    /// `grew`, `shrank`.
    std::vector<std::string> kinds() const;
};

/// The bytes used of one arena, whether they changed or not.
struct ArenaTotal {
    std::string role;
    std::string memory;
    std::string source_memory;
    std::optional<std::uint64_t> before;
    std::optional<std::uint64_t> after;

    bool changed() const { return before != after; }
};

/// Any other field, values as JSON text; empty where the field doesn't exist.
struct FieldChange {
    std::string path;  ///< `plan_hash`, `arenas.scratch[dtcm].peak_live`
    std::string before;
    std::string after;
};

struct ResidencyDiff {
    std::vector<TensorChange> tensors;  ///< ids ascending: numbers, then names
    std::vector<ArenaTotal> arenas;     ///< all: scratch, persistent, constant; by memory, source
    std::vector<FieldChange> fields;    ///< by path

    bool equal() const;
};

/// Reads a report and checks what the comparison relies on. Throws Failure(io), naming `file`,
/// for what is no JSON or no residency report.
nlohmann::json parse_residency(std::string_view text, const std::string& file);

/// Compares two reports that parse_residency gave. `compiler_version` isn't compared.
ResidencyDiff diff(const nlohmann::json& before, const nlohmann::json& after);

/// One line for each change, arenas' totals last; `no differences` when equal.
std::string to_text(const ResidencyDiff& diff);

/// `{schema_version, equal, tensors, arenas, fields}`.
nlohmann::json to_json(const ResidencyDiff& diff);

}  // namespace ingot::report
