// Module type `cmsis_pack`: a software pack with one component.
#include <fmt/core.h>

#include <algorithm>

#include "module/build_files.h"
#include "module/c_files.h"
#include "module/readme.h"
#include "module/render.h"
#include "module/text.h"
#include "module/variant.h"
#include "module/writers.h"
#include "support/diagnostics.h"

namespace ingot::module {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestDescription = 128;  // characters: packchk M387
constexpr std::size_t kLongestComponent = 32;     // characters: CsubType of PACK.xsd

/// The cores of condition attributes, and the best instructions each can have.
struct Core {
    const char* name;
    Variant best;
};
constexpr Core kCores[] = {{"Cortex-M0", Variant::portable}, {"Cortex-M0+", Variant::portable},
                           {"Cortex-M3", Variant::portable}, {"Cortex-M4", Variant::dsp},
                           {"Cortex-M7", Variant::dsp},      {"Cortex-M23", Variant::portable},
                           {"Cortex-M33", Variant::dsp},     {"Cortex-M55", Variant::mve},
                           {"Cortex-M85", Variant::mve}};

json fitting_cores(const Emission& emission) {
    const Variant needed = planned_variant(emission.config(), emission.platform());
    json list = json::array();
    for (const Core& core : kCores) {
        if (core.best >= needed) list.push_back({{"core", core.name}});
    }
    return list;
}

/// `text` with everything that a pack's name cannot have turned into `_`.
std::string pack_name(const std::string& text) {
    // An identifier may hold all that a pack's name may but the dash; with a letter in front
    // digits stay as they are.
    std::string result = identifier("x" + text).substr(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '-') result[i] = '-';
    }
    return result;
}

std::string vendor(const Emission& emission) {
    const config::Config& config = emission.config();
    const std::string& text = config.module.vendor.value_or(emission.platform().vendor);
    if (!text.empty()) return pack_name(text);
    throw support::Failure(support::ExitStatus::usage, where_set(config, "module.vendor"),
                           "a CMSIS pack needs the name of its vendor", "set module.vendor");
}

/// The component's name: the module's as an identifier, which here begins with no underscore.
std::string component(const Emission& emission) {
    const std::string name =
        emission.id().substr(std::min(emission.id().find_first_not_of('_'), emission.id().size()));
    const std::string where = where_set(emission.config(), "module.name");
    if (name.empty()) {
        throw support::Failure(support::ExitStatus::usage, where,
                               "a CMSIS pack's component needs a name with a letter or digit",
                               "choose another module.name");
    }
    if (name.size() > kLongestComponent) {
        throw support::Failure(
            support::ExitStatus::usage, where,
            fmt::format("the name of a CMSIS pack's component has at most {} characters, not {}",
                        kLongestComponent, name.size()),
            "choose a shorter module.name");
    }
    return name;
}

std::string description(const json& data) {
    std::string text = data.at("summary");
    if (text.size() > kLongestDescription) text = text.substr(0, kLongestDescription - 3) + "...";
    return xml_text(text);
}

/// The headers that an application includes.
json public_headers(const Emission& emission, const support::FileSet& files) {
    json list = json::array();
    for (const char* stem : {"model", "context", "tensors", "platform", "custom", "test_case"}) {
        const std::string path = emission.header_file(stem);
        if (files.count(path) != 0) list.push_back({{"file", path}});
    }
    return list;
}

json other_files(const support::FileSet& files) {
    json list = file_list(files, "", ".json");
    for (const json& file : file_list(files, "", ".bin")) list.push_back(file);
    return list;
}

}  // namespace

support::FileSet write_cmsis_pack(const Emission& emission) {
    const PlatformSpelling spelling = {{}, empty_definition, printf_does_nothing(emission)};
    json data = build_data(emission);
    data["vendor"] = vendor(emission);
    data["pack"] = pack_name(emission.config().module.name);
    data["component"] = component(emission);
    data["description"] = description(data);
    data["model_version"] = xml_text(comment_text(emission.config().model.version));
    data["cores"] = fitting_cores(emission);
    support::FileSet files = common_files(emission, spelling);
    data["headers"] = public_headers(emission, files);
    data["sources"] = file_list(files, "src/", ".c");
    data["others"] = other_files(files);
    files["README.md"] =
        readme(emission, render("templates/cmsis_pack/how_to_add.md.mustache", data));
    const std::string name = fmt::format("{}.{}.pdsc", data["vendor"].get<std::string>(),
                                         data["pack"].get<std::string>());
    files[name] = render("templates/cmsis_pack/pack.pdsc.mustache", data);
    return files;
}

}  // namespace ingot::module
