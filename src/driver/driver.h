// The walk through the rooms: import, passes, lowering, plan, reports, module.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/config.h"
#include "ir/graph.h"
#include "memory/plan.h"
#include "module/module.h"
#include "passes/pass.h"
#include "platforms/platform.h"
#include "program/program.h"
#include "report/reports.h"
#include "support/diagnostics.h"
#include "support/files.h"

namespace ingot::driver {

/// The compiler's version.
inline constexpr const char* kVersion = INGOT_VERSION;
inline constexpr const char* kApiVersion = "1.1.0";  ///< of the generated C API
inline constexpr int kResidencySchema = 5;

struct CompileOptions {
    bool ignore_budgets = false;  ///< `run`
    /// Called with the graph's text after the pass `dump_after` (also `import`: before any).
    std::string dump_after;
    std::function<void(const std::string&)> dump;
};

/// A model taken as far as the plan.
struct Compilation {
    config::Config config;
    std::string model_file;  ///< file name without folder
    ir::Model model;         ///< as imported, except that the entry graph is moved out
    ir::Graph graph;         ///< the entry subgraph after the passes
    std::vector<passes::PassResult> passes;
    program::Program program;  ///< its steps in the order in which they run
    platforms::Platform platform;
    std::optional<memory::OfflineEntry> offline;  ///< the model's own offsets, when asked for
    memory::MemoryPlan plan;
    /// The order of operators with the least peak; nothing when none was looked for.
    std::optional<report::OrderChoice> order;
};

/// Imports, checks, transforms, lowers and plans. Throws Failure; notes and warnings go to
/// `diagnostics`.
Compilation compile(const config::Config& config, std::span<const std::uint8_t> model,
                    const std::string& model_file, const CompileOptions& options,
                    support::Diagnostics& diagnostics);

/// What the reports say beside program and plan; without the hints that come from trying.
report::ReportOptions report_options(const Compilation& compilation);

/// What the configuration says to the planner.
memory::PlanOptions plan_options(const config::Config& config, const CompileOptions& options);

/// Imports and selects the entry subgraph only: what `inspect` shows.
struct Imported {
    ir::Model model;
    std::size_t entry = 0;  ///< index into model.subgraphs
};
Imported import_model(const config::Config& config, std::span<const std::uint8_t> model,
                      support::Diagnostics& diagnostics);

/// Multiply-accumulates of one operator an inference; nothing when it is not supported.
std::optional<std::uint64_t> operator_macs(const ir::Graph& graph, const ir::Operator& op);

struct Conversion {
    Compilation compilation;
    support::FileSet files;  ///< the module, by path below its root
    std::string residency_json;
};

/// compile, then reports, test vectors (`golden_data`: bytes of the .npz, may be empty) and
/// the module's files. Writes nothing.
Conversion convert(const config::Config& config, std::span<const std::uint8_t> model,
                   const std::string& model_file, std::span<const std::uint8_t> golden_data,
                   const CompileOptions& options, support::Diagnostics& diagnostics);

}  // namespace ingot::driver
