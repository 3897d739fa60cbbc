// The residency report, schema 5, its two hashes, and the comparison of two reports.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "memory/plan.h"
#include "program/program.h"

namespace ingot::report {

struct ResidencyOptions {
    std::string prefix = "aot";
    bool allocate_arenas = true;
    std::string compiler_version;
    bool ingot_keys = true;  ///< Ingot's additional keys in scratch arenas
};

/// First 16 hex digits of the SHA-256 over the regions (docs/memory.md): AOT_PLAN_HASH.
std::string plan_hash(const memory::MemoryPlan& plan);

/// First 16 hex digits of the SHA-256 over the tensors in the report's order.
std::string tensor_layout_hash(const program::Program& program, const memory::MemoryPlan& plan);

/// The tensors in the report's order: model ids ascending as numbers, then names ascending.
std::vector<program::TensorId> report_order(const program::Program& program,
                                            const memory::MemoryPlan& plan);

/// Name of the storage symbol of a region: `_buffer`, `__blob`; and of a staged source.
std::string runtime_symbol(const memory::Region& region);
std::string source_symbol(const memory::Region& region);

/// The sidecar's file name, or empty when none is written for it.
std::string sidecar_file(const memory::Region& region, bool allocate_arenas);

nlohmann::json residency(const program::Program& program, const memory::MemoryPlan& plan,
                         const ResidencyOptions& options);

/// The JSON as the report is written: keys sorted, indent 2, a final newline, `0` for 0.0.
std::string to_text(const nlohmann::json& json);

}  // namespace ingot::report
