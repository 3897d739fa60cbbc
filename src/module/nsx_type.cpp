// Module type `nsx`: a module of an NSX application, an algorithm in that tool's terms.
#include "module/build_files.h"
#include "module/c_files.h"
#include "module/readme.h"
#include "module/render.h"
#include "module/variant.h"
#include "module/writers.h"

namespace ingot::module {
namespace {

using nlohmann::json;

/// The SoCs that nsx knows, and whether their core is a Cortex-M55; the others are Cortex-M4F.
/// Apollo510L goes by two spellings.
struct Soc {
    const char* name;
    bool has_mve;
};
constexpr Soc kSocs[] = {{"apollo3", false},   {"apollo3p", false},  {"apollo4l", false},
                         {"apollo4p", false},  {"apollo5b", true},   {"apollo510", true},
                         {"apollo510b", true}, {"apollo510l", true}, {"apollo510L", true},
                         {"apollo330P", true}, {"atomiq110", true}};

/// Those that have the instructions the module is planned for: all have the DSP ones.
json fitting_socs(const Emission& emission) {
    const bool needs_mve = planned_variant(emission.config(), emission.platform()) == Variant::mve;
    json list = json::array();
    for (const Soc& soc : kSocs) {
        if (soc.has_mve || !needs_mve) list.push_back({{"soc", soc.name}});
    }
    return list;
}

std::string definition(const std::string& macro, const std::string& name) {
    if (macro != "PUT_CODE_IN_ITCM") return empty_definition(macro, name);
    return render("templates/nsx/code_in_itcm.mustache", {{"name", name}});
}

}  // namespace

support::FileSet write_nsx(const Emission& emission) {
    refuse_taken_name(emission, "CMake", "templates/cmake/taken_names.txt");
    const PlatformSpelling spelling = {{}, definition, printf_does_nothing(emission)};
    json data = build_data(emission);
    support::FileSet files = common_files(emission, spelling);
    data["sources"] = file_list(files, "src/", ".c");
    data["socs"] = fitting_socs(emission);
    data["quoted_summary"] = json(data["summary"]).dump();  // a JSON string is one of YAML's too
    files["README.md"] = readme(emission, render("templates/nsx/how_to_add.md.mustache", data));
    files["CMakeLists.txt"] = render("templates/nsx/CMakeLists.txt.mustache", data);
    files["nsx-module.yaml"] = render("templates/nsx/nsx-module.yaml.mustache", data);
    return files;
}

}  // namespace ingot::module
