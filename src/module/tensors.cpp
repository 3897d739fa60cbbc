// <p>_platform.h, <p>_tensors.{h,c} and the files of constants.
#include <fmt/core.h>

#include "module/build_files.h"
#include "module/c_files.h"
#include "module/render.h"
#include "module/text.h"
#include "report/residency.h"
#include "support/hash.h"

namespace ingot::module {
namespace {

using nlohmann::json;
using program::TensorId;

/// The memories that the reference's platform header knows, then the platform's others.
std::vector<std::string> memory_names(const Emission& emission) {
    std::vector<std::string> names = {"DTCM", "SRAM", "DRAM", "MRAM", "PSRAM", "ITCM"};
    const auto add = [&names](const std::string& memory) {
        const std::string name = upper(memory);
        for (const std::string& known : names) {
            if (known == name) return;
        }
        names.push_back(name);
    };
    for (const platforms::Memory& memory : emission.platform().memories) add(memory.name);
    for (const memory::Region& region : emission.plan().regions) {
        add(region.memory);
        add(region.source_memory);
    }
    return names;
}

std::string role_text(const memory::Region& region) {
    const std::string role(program::name(region.role));
    if (!region.staged()) return fmt::format("{}, in {}", role, region.memory);
    return fmt::format("{}, in {}, staged from {}", role, region.memory, region.source_memory);
}

json regions(const Emission& emission) {
    json list = json::array();
    for (std::size_t i = 0; i < emission.plan().regions.size(); ++i) {
        const memory::Region& region = emission.plan().regions[i];
        list.push_back({{"enum", region.enum_name},
                        {"index", i},
                        {"comment", role_text(region)},
                        {"size", region.size},
                        {"alignment", region.alignment},
                        {"symbol", report::runtime_symbol(region)}});
    }
    return list;
}

/// The arrays that the module reserves; an empty name is in all memories.
json buffers(const Emission& emission, const std::string& memory) {
    json list = json::array();
    for (const memory::Region& region : emission.plan().regions) {
        if (!emission.reserves(region)) continue;
        if (!memory.empty() && region.memory != memory) continue;
        list.push_back({{"comment", role_text(region)},
                        {"macro", emission.placement_macro(region.memory, false)},
                        {"enum", region.enum_name},
                        {"symbol", report::runtime_symbol(region)},
                        {"type", "int8_t"},
                        {"is_source", false}});
    }
    return list;
}

std::string storage_type(const Emission& emission, const Storage& storage) {
    return emission.nonvolatile(storage.memory) ? emission.prefix() + "_const_byte_t" : "int8_t";
}

json storage_declarations(const Emission& emission) {
    json list = buffers(emission, "");
    for (const Storage& storage : emission.storage()) {
        if (!storage.in_module) continue;
        const memory::Region& region = emission.plan().regions[storage.region];
        list.push_back({{"enum", region.enum_name},
                        {"symbol", storage.symbol},
                        {"type", storage_type(emission, storage)},
                        {"is_source", region.staged()}});
    }
    return list;
}

json sidecars(const Emission& emission) {
    json list = json::array();
    for (const Storage& storage : emission.storage()) {
        if (storage.sidecar.empty()) continue;
        list.push_back({{"name", storage.symbol}, {"sha256", support::sha256_hex(storage.bytes)}});
    }
    return list;
}

json tensor_table(const Emission& emission) {
    json list = json::array();
    for (std::size_t i = 0; i < emission.tensors().size(); ++i) {
        const TensorId id = emission.tensors()[i];
        const program::Tensor& tensor = emission.program().tensor(id);
        list.push_back({{"enumerator", emission.enumerator(id)},
                        {"index", i},
                        {"id", tensor.id},
                        {"role", program::name(tensor.role)},
                        {"region", emission.region_of(id).enum_name},
                        {"offset", emission.placement(id).offset},
                        {"size", tensor.size}});
    }
    return list;
}

std::int64_t elements(const program::Tensor& tensor) {
    return ir::element_count(tensor.shape).value_or(0);
}

void add_io(const Emission& emission, const std::string& kind, const std::vector<TensorId>& ids,
            json& list) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const program::Tensor& tensor = emission.program().tensor(ids[i]);
        list.push_back(
            {{"kind", kind},
             {"index", i},
             {"comment", fmt::format("{}, {}{}{}", type_text(tensor.type, tensor.shape),
                                     quantization_text(tensor.quantization),
                                     tensor.name.empty() ? "" : "; ", comment_text(tensor.name))},
             {"elements", elements(tensor)},
             {"bytes", tensor.size},
             {"is_input", kind == "input"},
             {"preserved", kind == "input" && emission.preserved(ids[i]) ? 1 : 0}});
    }
}

/// The four tables of inputs or outputs, each as the text between the braces.
void add_tables(const Emission& emission, const std::string& kind, const std::vector<TensorId>& ids,
                json& data) {
    std::vector<std::string> columns(4);
    const auto append = [&columns](std::size_t column, const std::string& value) {
        columns[column] += (columns[column].empty() ? "" : ", ") + value;
    };
    for (const TensorId id : ids) {
        const program::Tensor& tensor = emission.program().tensor(id);
        const ir::Quantization& quantization = tensor.quantization;
        append(0, emission.enumerator(id));
        append(1, literal(elements(tensor)));
        append(2, literal(quantization.empty() ? 1.0 : double{quantization.scale()}, "float"));
        append(3, literal(std::int64_t{quantization.zero_point()}));
    }
    if (ids.empty()) columns = {emission.prefix() + "_num_tensors", "0", "1.0f", "0"};
    data[kind + "_id"] = columns[0];
    data[kind + "_len"] = columns[1];
    data[kind + "_scale"] = columns[2];
    data[kind + "_zero_point"] = columns[3];
}

/// The file name of a path below the module's root.
std::string file_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

/// Arrays in more than one memory have a file for each memory.
void add_arena_files(const Emission& emission, support::FileSet& files) {
    for (const std::string& memory : emission.arena_memories()) {
        const std::string path = emission.arena_file(memory);
        json data = emission.base();
        data["file"] = file_name(path);
        data["memory"] = memory;
        data["buffers"] = buffers(emission, memory);
        files[path] = render("templates/c/arenas.c.mustache", data);
    }
}

/// One file of constants, of those that are stored in `memory`; an empty name is all of them.
void add_constants_file(const Emission& emission, const std::string& path,
                        const std::string& memory, support::FileSet& files) {
    json blobs = json::array();
    for (const Storage& storage : emission.storage()) {
        if (!storage.in_module || (!memory.empty() && storage.memory != memory)) continue;
        const memory::Region& region = emission.plan().regions[storage.region];
        const bool constant = emission.nonvolatile(storage.memory);
        blobs.push_back(
            {{"comment",
              fmt::format("{} bytes stored in {}{}", grouped(region.size), storage.memory,
                          region.staged() ? ", staged to " + region.memory : "")},
             {"macro", emission.placement_macro(storage.memory, !constant)},
             {"enum", region.enum_name},
             {"type", storage_type(emission, storage)},
             {"symbol", storage.symbol},
             {"bytes", byte_rows(storage.bytes)},
             {"is_source", region.staged()}});
    }
    json data = emission.base();
    data["file"] = file_name(path);
    data["memory"] = memory;
    data["everything"] = memory.empty();
    data["blobs"] = blobs;
    data["empty"] = emission.storage().empty()
                        ? "The model has no constants."
                        : "The application brings them: see the .bin files beside this module.";
    files[path] = render("templates/c/constants.c.mustache", data);
}

}  // namespace

namespace {

void note_unused_macro(const Emission& emission, const std::string& macro,
                       const std::string& name) {
    if (emission.input().diagnostics == nullptr) return;
    emission.input().diagnostics->note(
        where_set(emission.config(), "platform.section_macros"),
        fmt::format("{} of section_macros is not used: modules of this type define {} themselves",
                    macro, name),
        "define " + name + " when the module is compiled");
}

/// What the platform says stands in for a definition that the module's type leaves empty.
std::string definition(const Emission& emission, const PlatformSpelling& spelling,
                       const std::string& macro, const std::string& name) {
    const auto& macros = emission.platform().section_macros;
    const auto found = macros.find(macro);
    const std::string own = spelling.definition(macro, name);
    if (found == macros.end()) return own;
    if (own != empty_definition(macro, name)) {
        note_unused_macro(emission, macro, name);
        return own;
    }
    return empty_definition(macro, name) + " " + found->second;
}

}  // namespace

std::string empty_definition(const std::string& /*macro*/, const std::string& name) {
    return "#define " + name;
}

void add_platform_header(const Emission& emission, const PlatformSpelling& spelling,
                         support::FileSet& files) {
    json data = emission.base();
    data["macros"] = json::array();
    // `use` is what the macro is for: `objects`, `initialised`, `code`.
    const auto add = [&](const std::string& macro, const char* use, const std::string& memory) {
        const std::string name = emission.upper_prefix() + "_" + macro;
        json entry = {{"name", name}, {"definition", definition(emission, spelling, macro, name)}};
        for (const char* other : {"objects", "initialised", "code"}) entry[other] = false;
        entry[use] = memory;
        data["macros"].push_back(std::move(entry));
    };
    for (const std::string& memory : memory_names(emission)) {
        add("PUT_IN_" + memory, "objects", memory);
        add("PUT_IN_" + memory + "_INIT", "initialised", memory);
    }
    for (const std::string& memory : emission.code_memories()) {
        add("PUT_CODE_IN_" + upper(memory), "code", upper(memory));
    }
    data["includes"] = json::array();
    for (const std::string& header : spelling.includes) {
        data["includes"].push_back({{"header", header}});
    }
    data["printf"] = spelling.printf_lines;
    files[emission.header_file("platform")] = render("templates/c/platform.h.mustache", data);
}

void add_tensors(const Emission& emission, support::FileSet& files) {
    json data = emission.base();
    data["regions"] = regions(emission);
    const bool apart = emission.arena_memories().size() > 1;
    data["buffers"] = apart ? json::array() : buffers(emission, "");
    if (apart) add_arena_files(emission, files);
    data["storage"] = storage_declarations(emission);
    data["has_storage"] = !data["storage"].empty();
    data["sidecars"] = sidecars(emission);
    data["has_sidecars"] = !data["sidecars"].empty();
    data["tensors"] = tensor_table(emission);
    data["no_tensors"] = emission.tensors().empty();
    data["plan_hash"] = report::plan_hash(emission.plan());
    data["io"] = json::array();
    add_io(emission, "input", emission.program().inputs, data["io"]);
    add_io(emission, "output", emission.program().outputs, data["io"]);
    add_tables(emission, "inputs", emission.program().inputs, data);
    add_tables(emission, "outputs", emission.program().outputs, data);
    files[emission.header_file("tensors")] = render("templates/c/tensors.h.mustache", data);
    files[emission.source_file("tensors")] = render("templates/c/tensors.c.mustache", data);
}

void add_constants(const Emission& emission, support::FileSet& files) {
    const std::set<std::string> memories = emission.constant_memories();
    if (memories.size() < 2) {
        add_constants_file(emission, emission.constants_file(""), "", files);
        return;
    }
    for (const std::string& memory : memories) {
        add_constants_file(emission, emission.constants_file(memory), memory, files);
    }
}

}  // namespace ingot::module
