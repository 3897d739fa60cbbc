#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "driver/driver.h"
#include "driver/hints.h"
#include "driver/npz.h"
#include "driver/vectors.h"
#include "module/report_page.h"
#include "module/variant.h"
#include "report/memory_map.h"
#include "report/reports.h"
#include "report/residency.h"

namespace ingot::driver {
namespace {

// The self-test's vectors when the user gives none: enough to carry state over a few runs.
constexpr std::size_t kFewestInvocations = 3;
constexpr std::size_t kMostInvocations = 64;
constexpr std::uint64_t kHostSeed = 1;

std::string residency_text(const Compilation& c) {
    report::ResidencyOptions options;
    options.prefix = c.config.module.prefix;
    options.allocate_arenas = c.config.memory.allocate_arenas;
    options.compiler_version = kVersion;
    return report::to_text(report::residency(c.program, c.plan, options));
}

// As many as an SVDF remembers: with fewer, the weights of its oldest entries would meet zeros only
// and could be anything.
std::size_t host_invocations(const ir::Graph& graph) {
    std::size_t count = kFewestInvocations;
    for (const ir::Operator& op : graph.operators) {
        constexpr std::size_t kTimeWeights = 2;
        if (op.type != "SVDF" || op.input(kTimeWeights) == ir::kAbsent) continue;
        const ir::Shape& shape = graph.tensor(op.input(kTimeWeights)).shape;
        if (shape.size() == 2) count = std::max(count, static_cast<std::size_t>(shape[1]));
    }
    return std::min(count, kMostInvocations);
}

std::vector<module::TestInvocation> test_vectors(const Compilation& c,
                                                 std::span<const std::uint8_t> golden_data) {
    if (!c.config.test.enabled) return {};
    if (!c.config.test.golden_data) {
        return host_vectors(c.program, c.plan, host_invocations(c.graph), kHostSeed);
    }
    return load_golden(golden_data, c.program, c.config.test.golden_data->string());
}

module::ModuleInput module_input(const Compilation& c, std::span<const std::uint8_t> model,
                                 const std::string& residency,
                                 std::span<const std::uint8_t> golden_data) {
    module::ModuleInput input;
    input.program = &c.program;
    input.plan = &c.plan;
    input.platform = &c.platform;
    input.config = &c.config;
    input.model_name = c.program.name;
    input.model_description = c.config.model.description.value_or(c.model.description);
    input.model_file = c.model_file;
    input.model_sha256 = c.model.sha256;
    input.compiler_version = kVersion;
    for (const passes::PassResult& pass : c.passes) {
        if (pass.enabled) input.transforms_on.push_back(pass.name);
    }
    input.test_vectors = test_vectors(c, golden_data);
    report::ReportOptions options = report_options(c);
    options.hints = hints(c, model);
    const nlohmann::json plan = report::plan_report(c.program, c.plan, options);
    const nlohmann::json full = report::full_report(c.program, c.plan, options);
    input.plan_json = report::to_text(plan);
    input.report_json = report::to_text(full);
    if (c.config.documentation_html) {
        input.report_html = module::report_page(report::memory_map(plan, full, "the reports"));
    }
    if (c.config.memory.dump_residency_json) input.residency_json = residency;
    return input;
}

// Lists the module's files in its plan, so that a later run knows what Ingot wrote.
void list_files(support::FileSet& files, const std::string& plan_name) {
    nlohmann::json plan = nlohmann::json::parse(files.at(plan_name));
    nlohmann::json& names = plan["files"] = nlohmann::json::array();
    for (const auto& file : files) names.push_back(file.first);
    files[plan_name] = report::to_text(plan);
}

}  // namespace

report::ReportOptions report_options(const Compilation& c) {
    report::ReportOptions options;
    options.prefix = c.config.module.prefix;
    options.model_name = c.program.name;
    options.compiler_version = kVersion;
    options.platform = c.platform;
    options.constraints = c.config.memory.constraints;
    options.planner = c.config.memory.planner;
    options.order = c.order;
    if (const auto rules = c.config.entries.find("memory.tensors");
        rules != c.config.entries.end()) {
        options.tensor_rules = rules->second;
    }
    options.variant = [planned = module::planned_variant(c.config, c.platform)](
                          const program::Kernel& kernel) -> std::string {
        return module::name(module::kernel_variant(kernel.name, planned));
    };
    for (const passes::PassResult& pass : c.passes) {
        options.transforms.push_back({pass.name, pass.enabled, pass.changes, pass.removed_operators,
                                      pass.removed_bytes, pass.details});
    }
    return options;
}

Conversion convert(const config::Config& config, std::span<const std::uint8_t> model,
                   const std::string& model_file, std::span<const std::uint8_t> golden_data,
                   const CompileOptions& options, support::Diagnostics& diagnostics) {
    Conversion result;
    result.compilation = compile(config, model, model_file, options, diagnostics);
    result.residency_json = residency_text(result.compilation);
    module::ModuleInput input =
        module_input(result.compilation, model, result.residency_json, golden_data);
    input.diagnostics = &diagnostics;
    result.files = module::write(input);
    list_files(result.files, config.module.prefix + "_plan.json");
    return result;
}

}  // namespace ingot::driver
