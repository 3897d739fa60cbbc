// The module's README.md.
#include <fmt/core.h>

#include "module/readme.h"
#include "module/render.h"
#include "module/text.h"
#include "report/residency.h"

namespace ingot::module {
namespace {

using nlohmann::json;
using program::TensorId;

void add_io(const Emission& emission, const std::string& kind, const std::vector<TensorId>& ids,
            json& list) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const program::Tensor& tensor = emission.program().tensor(ids[i]);
        list.push_back({{"kind", kind},
                        {"index", i},
                        {"name", markdown_text(tensor.name)},
                        {"type", type_text(tensor.type, tensor.shape)},
                        {"bytes", grouped(tensor.size)},
                        {"quantization", quantization_text(tensor.quantization)}});
    }
}

json regions(const Emission& emission) {
    json list = json::array();
    for (const memory::Region& region : emission.plan().regions) {
        const std::string where =
            region.staged() ? fmt::format("{}, from {}", region.memory, region.source_memory)
                            : region.memory;
        const bool file = !report::sidecar_file(region, emission.allocated()).empty();
        list.push_back({{"enum", region.enum_name},
                        {"role", program::name(region.role)},
                        {"where", where},
                        {"size", grouped(region.size)},
                        {"alignment", region.alignment},
                        {"note", file && !region.staged() ? " /* filled from its file */" : ""}});
    }
    return list;
}

/// `input 0 and input 2`, those whose memory a run uses.
std::string overwritten_inputs(const Emission& emission) {
    std::string result;
    for (std::size_t i = 0; i < emission.program().inputs.size(); ++i) {
        if (emission.preserved(emission.program().inputs[i])) continue;
        result += fmt::format("{}input {}", result.empty() ? "" : " and ", i);
    }
    return result;
}

void add_constant_files(const Emission& emission, json& data) {
    std::string sources;
    data["cold_files"] = json::array();
    for (const Storage& storage : emission.storage()) {
        const memory::Region& region = emission.plan().regions[storage.region];
        if (storage.sidecar.empty()) continue;
        if (region.staged()) {
            sources += fmt::format("{}`{}`", sources.empty() ? "" : " and ", storage.sidecar);
            continue;
        }
        if (data["cold_files"].empty()) {
            data["cold_file"] = storage.sidecar;
            data["cold_alignment"] = region.alignment;
        }
        data["cold_files"].push_back({{"file", storage.sidecar}, {"enum", region.enum_name}});
    }
    data["has_cold_files"] = !data["cold_files"].empty();
    data["source_files"] = sources;
}

void add_provenance(const Emission& emission, json& data) {
    const ModuleInput& input = emission.input();
    std::string transforms;
    for (const std::string& name : input.transforms_on) {
        transforms += (transforms.empty() ? "" : ", ") + name;
    }
    data["compiler_version"] = input.compiler_version;
    data["model_file"] = markdown_text(input.model_file);
    data["model_version"] = markdown_text(emission.config().model.version);
    data["model_sha256"] = input.model_sha256;
    data["plan_hash"] = report::plan_hash(emission.plan());
    data["transforms"] = transforms.empty() ? "none" : transforms;
}

}  // namespace

std::string readme(const Emission& emission, const std::string& how_to_add) {
    const ModuleInput& input = emission.input();
    json data = emission.base();
    data["title"] = fmt::format("{}: {}", markdown_text(emission.config().module.name),
                                markdown_text(input.model_name));
    data["description"] = input.model_description.empty()
                              ? json(false)
                              : json(markdown_text(input.model_description));
    data["uses_math"] = emission.kernels().uses_math;
    data["platform"] = markdown_text(emission.platform().name);
    data["cpu"] = markdown_text(emission.platform().cpu);
    data["inputs"] = json::array();
    add_io(emission, "input", emission.program().inputs, data["inputs"]);
    data["io"] = data["inputs"];
    add_io(emission, "output", emission.program().outputs, data["io"]);
    data["first_output"] = !emission.program().outputs.empty();
    data["overwritten"] = overwritten_inputs(emission);
    data["some_overwritten"] = !overwritten_inputs(emission).empty();
    data["hydrate_call"] = emission.staged() && !emission.config().memory.auto_hydrate_constants;
    data["regions"] = regions(emission);
    data["how_to_add"] = how_to_add;
    add_constant_files(emission, data);
    add_provenance(emission, data);
    return render("templates/c/README.md.mustache", data);
}

}  // namespace ingot::module
