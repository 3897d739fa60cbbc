#include "module/module.h"

#include "module/c_files.h"
#include "module/cmake_type.h"
#include "module/emission.h"
#include "module/readme.h"
#include "module/render.h"
#include "support/diagnostics.h"

namespace ingot::module {
namespace {

/// A module type that is built.
struct Writer {
    config::ModuleType type;
    const char* name;
    support::FileSet (*write)(const Emission& emission);
};

constexpr Writer kWriters[] = {{config::ModuleType::cmake, "cmake", write_cmake}};

std::string where(const config::Config& config) {
    const auto origin = config.origins.find("module.type");
    return origin == config.origins.end() ? "module.type" : origin->second.to_text();
}

}  // namespace

support::FileSet write(const ModuleInput& input) {
    std::string names;
    for (const Writer& writer : kWriters) {
        if (writer.type == input.config->module.type) return writer.write(Emission(input));
        names += std::string(names.empty() ? "" : ", ") + writer.name;
    }
    throw support::Failure(support::ExitStatus::usage, where(*input.config),
                           "this module type is not available yet", "available: " + names);
}

std::string printf_does_nothing(const Emission& emission) {
    return render("templates/c/printf_nothing.mustache", emission.base());
}

support::FileSet common_files(const Emission& emission, const PlatformSpelling& spelling,
                              const std::string& how_to_add) {
    add_custom_operators(emission, files);
    support::FileSet files;
    add_platform_header(emission, spelling, files);
    add_tensors(emission, files);
    add_constants(emission, files);
    add_context(emission, files);
    add_model(emission, files);
    add_kernels(emission, files);
    add_layers(emission, files);
    if (emission.config().test.enabled) add_test_case(emission, files);
    files["README.md"] = readme(emission, how_to_add);
    files["LICENSE"] = render("templates/c/LICENSE.mustache", nlohmann::json::object());
    files[emission.prefix() + "_plan.json"] = emission.input().plan_json;
    files[emission.prefix() + "_report.json"] = emission.input().report_json;
    if (!emission.input().residency_json.empty()) {
        files[emission.prefix() + "_residency.json"] = emission.input().residency_json;
    }
    for (const Storage& storage : emission.storage()) {
        if (storage.sidecar.empty()) continue;
        files[storage.sidecar] = std::string(storage.bytes.begin(), storage.bytes.end());
    }
    return files;
}

}  // namespace ingot::module
