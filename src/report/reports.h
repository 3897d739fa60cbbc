// `<p>_plan.json`, the choice made for each operator, and `<p>_report.json`, why. Their JSON
// Schemas are schemas/plan.schema.json and schemas/report.schema.json.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "memory/order.h"
#include "memory/plan.h"
#include "platforms/platform.h"
#include "program/program.h"

namespace ingot::report {

inline constexpr int kPlanSchema = 1;    ///< `schema_version` of `<p>_plan.json`
inline constexpr int kReportSchema = 1;  ///< `schema_version` of `<p>_report.json`

/// What one graph pass did.
struct TransformResult {
    std::string name;
    bool enabled = true;
    std::uint64_t changes = 0;  ///< 0: it found nothing to do
    std::uint64_t removed_operators = 0;
    std::uint64_t removed_bytes = 0;   ///< of constants
    std::vector<std::string> details;  ///< one sentence each
};

/// What would save memory.
struct Hint {
    std::string kind;         ///< `peak`, `spilled`, … : schemas/report.schema.json has the list
    std::string message;      ///< a sentence with the numbers
    std::string memory;       ///< the memory in which bytes would be saved
    std::uint64_t saves = 0;  ///< bytes of that memory, from a plan made that way
    bool at_most = false;     ///< `saves` is a bound that no plan may reach
    /// The key and its whole new value, YAML, that does it; an empty key: nothing does.
    config::FlagValue setting;
};

/// The order of operators with the least peak, and whether the plan is of it.
struct OrderChoice {
    memory::Order order;
    bool taken = false;  ///< else the plan is of the model's order
};

/// What the reports say of it; null when none was looked for.
nlohmann::json order_report(const std::optional<OrderChoice>& choice);

/// What the reports say beside program and plan.
struct ReportOptions {
    std::string prefix = "aot";
    std::string model_name;
    std::string compiler_version;
    platforms::Platform platform;
    std::vector<config::MemoryConstraint> constraints;
    std::vector<TransformResult> transforms;
    std::vector<Hint> hints;  ///< found by trying; those that the plan itself shows are added
    config::Planner planner = config::Planner::best;
    std::optional<OrderChoice> order;  ///< nothing: none was looked for
    /// The rules that there are, as config::Config::entries has them: settings keep them.
    std::vector<std::string> tensor_rules;
    /// The variant of a kernel that is planned for: `portable`, `dsp`, `mve`. When it isn't
    /// given, every kernel is portable.
    std::function<std::string(const program::Kernel&)> variant;
};

/// For each operator kernel, variant, scratch bytes, overlap, placement and tensors; for each
/// tensor place, lifetime and the rules that decided.
nlohmann::json plan_report(const program::Program& program, const memory::MemoryPlan& plan,
                           const ReportOptions& options);

/// What each transform removed, multiply-accumulates and bytes moved by operator and by memory,
/// budgets and which of them bound, what lost and by how many bytes, hints.
nlohmann::json full_report(const program::Program& program, const memory::MemoryPlan& plan,
                           const ReportOptions& options);

}  // namespace ingot::report
