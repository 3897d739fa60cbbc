// The module's README.md.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "module/custom.h"
#include "module/readme.h"
#include "module/render.h"
#include "module/text.h"
#include "report/residency.h"
#include "report/stack.h"

namespace ingot::module {
namespace {

using nlohmann::json;
using program::TensorId;

/// A section that is shown with the text, or nothing for an empty one.
json optional_text(const std::string& text) {
    return text.empty() ? json(false) : json(text);
}

/// How the example writes and reads an element.
struct Element {
    std::string c_type;  ///< empty: the example treats the tensor as bytes
    std::string range;   ///< of quantised elements: `-128, 127`; else empty
    std::string sample;  ///< a value
};

Element element_of(const program::Tensor& tensor) {
    const bool quantised = !tensor.quantization.empty();
    switch (tensor.type) {
        case ir::DataType::int8:
            return {"int8_t", quantised ? "-128, 127" : "", quantised ? "0.0f" : "0"};
        case ir::DataType::uint8:
            return {"uint8_t", quantised ? "0, 255" : "", quantised ? "0.0f" : "0U"};
        case ir::DataType::int16:
            return {"int16_t", quantised ? "-32768, 32767" : "", quantised ? "0.0f" : "0"};
        case ir::DataType::int32:
            return {"int32_t", "", "0"};
        case ir::DataType::float32:
            return {"float", "", "0.0f"};
        default:
            return {};
    }
}

void add_io(const Emission& emission, const std::string& kind, const std::vector<TensorId>& ids,
            json& list) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const program::Tensor& tensor = emission.program().tensor(ids[i]);
        const Element element = element_of(tensor);
        list.push_back({{"kind", kind},
                        {"index", i},
                        {"name", markdown_text(tensor.name)},
                        {"type", type_text(tensor.type, tensor.shape)},
                        {"bytes", grouped(tensor.size)},
                        {"quantization", quantization_text(tensor.quantization)},
                        {"c_type", optional_text(element.c_type)},
                        {"range", optional_text(element.range)},
                        {"sample", element.sample}});
    }
}

json regions(const Emission& emission) {
    json list = json::array();
    for (const memory::Region& region : emission.plan().regions) {
        const std::string where =
            region.staged() ? fmt::format("{}, from {}", region.memory, region.source_memory)
                            : region.memory;
        const std::string file = report::sidecar_file(region, emission.allocated());
        list.push_back({{"enum", region.enum_name},
                        {"role", program::name(region.role)},
                        {"where", where},
                        {"size", grouped(region.size)},
                        {"alignment", region.alignment},
                        {"cold_file", optional_text(region.staged() ? "" : file)}});
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
            data["first_cold"] = storage.sidecar.substr(0, storage.sidecar.rfind('.'));
        }
        data["cold_files"].push_back({{"file", storage.sidecar},
                                      {"enum", region.enum_name},
                                      {"alignment", region.alignment}});
    }
    data["has_cold_files"] = !data["cold_files"].empty();
    data["source_files"] = sources;
}

void add_custom(const Emission& emission, json& data) {
    data["functions"] = json::array();
    std::set<std::string> seen;
    for (const program::Step& step : emission.program().steps) {
        if (!step.custom || !seen.insert(step.custom->function).second) continue;
        data["functions"].push_back({{"name", markdown_text(step.custom->name)},
                                     {"function", custom_function(emission, *step.custom)}});
    }
    data["custom"] = !seen.empty();
}

void add_stack(const Emission& emission, json& data) {
    const auto stack = report::stack_figure(emission.program(), emission.platform().cpu);
    data["has_stack"] = stack.has_value();
    if (!stack) return;
    std::string custom;
    for (const std::string& name : stack->not_counted) {
        custom += (custom.empty() ? "" : ", ") + markdown_text(name);
    }
    data["stack_bytes"] = grouped(stack->bytes);
    data["stack_deepest"] = stack->deepest;
    data["stack_core"] = stack->core == "generic" ? "any Cortex-M" : stack->core;
    data["stack_compiler"] = stack->compiler;
    data["stack_flags"] = stack->flags;
    data["stack_custom"] = optional_text(custom);
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
    data["first_output"] = false;
    if (!emission.program().outputs.empty()) {
        data["first_output"] = data["io"][emission.program().inputs.size()];
    }
    const auto some_input = [&](const char* key) {
        const json& inputs = data["inputs"];
        return std::any_of(inputs.begin(), inputs.end(),
                           [&](const json& i) { return i.at(key).is_string(); });
    };
    data["quantised_inputs"] = some_input("range");
    data["has_filled_inputs"] = some_input("c_type");
    data["test"] = emission.config().test.enabled;
    data["invocations"] = input.test_vectors.size();
    data["overwritten"] = overwritten_inputs(emission);
    data["some_overwritten"] = !overwritten_inputs(emission).empty();
    data["hydrate_call"] = emission.staged() && !emission.config().memory.auto_hydrate_constants;
    data["regions"] = regions(emission);
    data["how_to_add"] = how_to_add;
    add_constant_files(emission, data);
    add_stack(emission, data);
    add_custom(emission, data);
    add_provenance(emission, data);
    return render("templates/c/README.md.mustache", data);
}

}  // namespace ingot::module
