#include "module/module.h"

#include <stdexcept>

#include "module/c_files.h"
#include "module/emission.h"
#include "module/render.h"
#include "module/writers.h"

namespace ingot::module {
namespace {

struct Writer {
    config::ModuleType type;
    support::FileSet (*write)(const Emission& emission);
};

constexpr Writer kWriters[] = {{config::ModuleType::cmake, write_cmake},
                               {config::ModuleType::zephyr, write_zephyr},
                               {config::ModuleType::nsx, write_nsx},
                               {config::ModuleType::cmsis_pack, write_cmsis_pack}};

}  // namespace

support::FileSet write(const ModuleInput& input) {
    for (const Writer& writer : kWriters) {
        if (writer.type == input.config->module.type) return writer.write(Emission(input));
    }
    throw std::logic_error("a module type without a writer");
}

std::string printf_does_nothing(const Emission& emission) {
    return render("templates/c/printf_nothing.mustache", emission.base());
}

support::FileSet common_files(const Emission& emission, const PlatformSpelling& spelling) {
    support::FileSet files;
    add_platform_header(emission, spelling, files);
    add_tensors(emission, files);
    add_constants(emission, files);
    add_context(emission, files);
    add_model(emission, files);
    add_kernels(emission, files);
    add_layers(emission, files);
    add_custom_operators(emission, files);
    if (emission.config().test.enabled) add_test_case(emission, files);
    files["LICENSE"] = render("templates/c/LICENSE.mustache", nlohmann::json::object());
    files[emission.prefix() + "_plan.json"] = emission.input().plan_json;
    files[emission.prefix() + "_report.json"] = emission.input().report_json;
    if (!emission.input().residency_json.empty()) {
        files[emission.prefix() + "_residency.json"] = emission.input().residency_json;
    }
    if (!emission.input().report_html.empty()) {
        files[emission.prefix() + "_report.html"] = emission.input().report_html;
    }
    for (const Storage& storage : emission.storage()) {
        if (storage.sidecar.empty()) continue;
        files[storage.sidecar] = std::string(storage.bytes.begin(), storage.bytes.end());
    }
    return files;
}

}  // namespace ingot::module
