// The module writer: program and plan → files. Decides no placement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "memory/plan.h"
#include "platforms/platform.h"
#include "program/program.h"
#include "support/diagnostics.h"
#include "support/files.h"

namespace ingot::module {

/// One test vector: inputs and outputs in the model's order, bytes.
struct TestInvocation {
    std::vector<std::vector<std::uint8_t>> inputs;
    std::vector<std::vector<std::uint8_t>> outputs;
};

/// Everything a module is made from.
struct ModuleInput {
    const program::Program* program = nullptr;
    const memory::MemoryPlan* plan = nullptr;
    const platforms::Platform* platform = nullptr;
    const config::Config* config = nullptr;
    std::string model_name;
    std::string model_description;
    std::string model_file;  ///< file name without folder
    std::string model_sha256;
    std::string compiler_version;
    std::vector<std::string> transforms_on;
    std::vector<TestInvocation> test_vectors;  ///< used when config->test.enabled
    std::string plan_json;                     ///< bytes of <p>_plan.json
    std::string report_json;                   ///< bytes of <p>_report.json
    std::string residency_json;                ///< bytes of <p>_residency.json; empty: not written
    std::string report_html;                   ///< bytes of <p>_report.html; empty: not written
    support::Diagnostics* diagnostics = nullptr;  ///< takes notes; null: they are dropped
};

/// The files of the module, by path below its root. Throws Failure(usage) for a name
/// that the module's type has no place for.
support::FileSet write(const ModuleInput& input);

}  // namespace ingot::module
