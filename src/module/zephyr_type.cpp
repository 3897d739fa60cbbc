// Module type `zephyr`: an out-of-tree Zephyr module with a switch in Kconfig.
#include <set>

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

/// A placement macro that Zephyr has a section for, where the devicetree chooses a node.
struct Section {
    const char* macro;
    const char* chosen;
    const char* section;
};
constexpr Section kSections[] = {{"PUT_IN_DTCM", "zephyr_dtcm", "__dtcm_bss_section"},
                                 {"PUT_IN_DTCM_INIT", "zephyr_dtcm", "__dtcm_data_section"},
                                 {"PUT_IN_ITCM", "zephyr_itcm", "__itcm_section"},
                                 {"PUT_IN_ITCM_INIT", "zephyr_itcm", "__itcm_section"},
                                 {"PUT_CODE_IN_ITCM", "zephyr_itcm", "__itcm_section"}};

/// Memories whose linker region has the same name on every board.
constexpr const char* kTightlyCoupled[] = {"dtcm", "itcm"};

std::string definition(const std::string& macro, const std::string& name) {
    if (macro == "PUT_IN_MRAM") return render("templates/zephyr/const.mustache", {{"name", name}});
    for (const Section& section : kSections) {
        if (macro != section.macro) continue;
        return render("templates/zephyr/section.mustache",
                      {{"name", name}, {"chosen", section.chosen}, {"section", section.section}});
    }
    return empty_definition(macro, name);
}

/// The files that hold what the plan has in `memory`, as `zephyr_code_relocate` takes them: a
/// file with the sort of its default section.
json relocated_files(const Emission& emission, const support::FileSet& files,
                     const std::string& memory) {
    std::set<std::pair<std::string, std::string>> found;
    for (const memory::Region& region : emission.plan().regions) {
        if (emission.reserves(region) && region.memory == memory) {
            found.emplace(emission.arena_file(memory), "BSS");
        }
    }
    for (const Storage& storage : emission.storage()) {
        if (!storage.in_module || storage.memory != memory) continue;
        found.emplace(emission.constants_file(memory),
                      emission.nonvolatile(memory) ? "RODATA" : "DATA");
    }
    const std::string code_macro = emission.upper_prefix() + "_PUT_CODE_IN_" + upper(memory);
    for (const auto& [path, text] : files) {
        const bool source = path.rfind("src/", 0) == 0;
        if (source && text.find(code_macro) != std::string::npos) found.emplace(path, "TEXT");
    }
    json list = json::array();
    for (const auto& [file, sort] : found) list.push_back({{"file", file}, {"sort", sort}});
    return list;
}

json relocations(const Emission& emission, const support::FileSet& files) {
    json list = json::array();
    for (const platforms::Memory& memory : emission.platform().memories) {
        const json moved = relocated_files(emission, files, memory.name);
        if (moved.empty()) continue;
        bool known = false;
        for (const char* name : kTightlyCoupled) known = known || memory.name == name;
        list.push_back({{"memory", memory.name},
                        {"MEMORY", upper(memory.name)},
                        {"known", known},
                        {"code", emission.code_memories().count(memory.name) != 0},
                        {"files", moved}});
    }
    return list;
}

/// Whether the FPU is worth its registers: for vectors, which are kept in them, and for what the
/// kernels compute in floating point. Portable kernels need none.
json fpu_use(const Emission& emission) {
    const bool any_core = emission.config().optimize == config::Optimize::portable;
    const bool vectors = planned_variant(emission.config(), emission.platform()) == Variant::mve;
    const bool floats = !any_core && emission.kernels().uses_math && emission.platform().has("fpu");
    return {{"use_fpu", vectors || floats}, {"vectors", vectors}};
}

}  // namespace

support::FileSet write_zephyr(const Emission& emission) {
    refuse_taken_name(emission, "CMake", "templates/cmake/taken_names.txt");
    refuse_taken_name(emission, "Zephyr", "templates/zephyr/taken_names.txt");
    const platforms::Platform& platform = emission.platform();
    json data = build_data(emission);
    const PlatformSpelling spelling = {{"zephyr/devicetree.h", "zephyr/linker/sections.h",
                                        "zephyr/linker/section_tags.h", "zephyr/sys/printk.h"},
                                       definition,
                                       render("templates/zephyr/printk.mustache", data)};
    data["arm"] = platform.cpu.rfind("cortex-m", 0) == 0;
    data.update(fpu_use(emission));
    data["quoted_name"] = json(data["name"]).dump();
    support::FileSet files = common_files(emission, spelling);
    data["sources"] = file_list(files, "src/", ".c");
    data["relocations"] = relocations(emission, files);
    data["relocates"] = !data["relocations"].empty();
    data["asks_for_regions"] = false;
    for (const json& row : data["relocations"]) {
        if (!row.at("known").get<bool>()) data["asks_for_regions"] = true;
    }
    files["README.md"] = readme(emission, render("templates/zephyr/how_to_add.md.mustache", data));
    files["zephyr/module.yml"] = render("templates/zephyr/module.yml.mustache", data);
    files["zephyr/Kconfig"] = render("templates/zephyr/Kconfig.mustache", data);
    files["zephyr/CMakeLists.txt"] = render("templates/zephyr/CMakeLists.txt.mustache", data);
    return files;
}

}  // namespace ingot::module
