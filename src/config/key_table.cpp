#include "config/key_table.h"

#include <limits>

#include "config/identifiers.h"
#include "config/lists.h"

namespace ingot::config {
namespace {

constexpr std::int64_t kMostSubgraphs = std::numeric_limits<std::int32_t>::max();

template <typename T, typename U>
void assign(T& to, const std::optional<U>& value) {
    if (value) to = *value;
}

template <typename Enum>
void assign_choice(Enum& to, const std::optional<std::size_t>& index) {
    if (index) to = static_cast<Enum>(*index);
}

void read_path(Reader& reader, const Node& value, const Name& name, std::filesystem::path& to) {
    const auto text = reader.text(value, name);
    if (text && text->empty()) reader.error(value, name + " is empty");
    if (text) to = *text;
}

void read_optional_path(Reader& reader, const Node& value, const Name& name,
                        std::optional<std::filesystem::path>& to) {
    read_path(reader, value, name, to.emplace());
}

void read_named(Reader& reader, const Node& value, const Name& name,
                std::string (*problem)(std::string_view), std::string& to) {
    const auto text = reader.text(value, name);
    if (!text) return;
    const std::string why = problem(*text);
    if (!why.empty()) reader.error(value, name + " cannot be " + in_quotes(*text) + ": " + why);
    to = *text;
}

void read_verbose(Config& config, Reader& reader, const Node& value, const Name& name) {
    // A number as for repeated -v, or a plain yes or no.
    if (value.is_scalar() && value.text.find_first_not_of("0123456789") != std::string::npos) {
        if (const auto on = reader.boolean(value, name)) config.verbose = *on ? 1 : 0;
    } else if (const auto level = reader.integer(value, name, 0, 9)) {
        config.verbose = static_cast<int>(*level);
    }
}

#define READ [](Config & c, Reader & r, const Node& v, const Name& n)

KeyRow row(const char* key, const char* value, const char* fallback, const char* description,
           decltype(KeyRow::read) read) {
    return {{key, value, fallback, description, false}, read, false};
}

KeyRow flag(const char* key, const char* fallback, const char* description,
            decltype(KeyRow::read) read) {
    return {{key, "BOOL", fallback, description, true}, read, false};
}

KeyRow tree(const char* key, const char* value, const char* fallback, const char* description,
            decltype(KeyRow::read) read) {
    return {{key, value, fallback, description, false}, read, true};
}

std::vector<KeyRow> model_keys() {
    return {
        row(
            "model.path", "PATH", "", "the .tflite file; required",
            READ { read_path(r, v, n, c.model.path); }),
        row(
            "model.subgraph", "INT", "0", "the subgraph that is converted",
            READ { assign(c.model.subgraph, r.integer(v, n, 0, kMostSubgraphs)); }),
        row(
            "model.signature", "TEXT", "", "the signature whose subgraph is converted",
            READ { assign(c.model.signature, r.text(v, n)); }),
        row(
            "model.name", "TEXT", "the file's stem", "the model's name in README and reports",
            READ { assign(c.model.name, r.text(v, n)); }),
        row(
            "model.description", "TEXT", "the file's own",
            "the model's description in README and reports",
            READ { assign(c.model.description, r.text(v, n)); }),
        row(
            "model.version", "TEXT", "v1.0.0", "the model's version in README and reports",
            READ { assign(c.model.version, r.text(v, n)); }),
        tree(
            "model.input_shapes", "MAP", "{}",
            "the shapes that inputs must have: name or index to shape",
            READ { c.model.input_shapes = read_shapes(r, v, n); }),
        flag(
            "model.inputs_overwritable", "true",
            "a run may use the memory of the inputs; the header says which survive",
            READ { assign(c.model.inputs_overwritable, r.boolean(v, n)); }),
    };
}

std::vector<KeyRow> module_keys() {
    return {
        row(
            "module.path", "PATH", ".",
            "where the module goes: a folder, or a .zip file to write an archive",
            READ { read_path(r, v, n, c.module.path); }),
        row(
            "module.name", "TEXT", "aot_module", "the module's name and that of its folder",
            READ { read_named(r, v, n, module_name_problem, c.module.name); }),
        row(
            "module.type", "cmake|zephyr|nsx|cmsis_pack", "cmake",
            "the build system that the module is packaged for",
            READ {
                assign_choice(c.module.type,
                              r.choice(v, n, {"cmake", "zephyr", "nsx", "cmsis_pack"}));
            }),
        row(
            "module.prefix", "IDENTIFIER", "aot", "what every symbol, file and macro begins with",
            READ { read_named(r, v, n, prefix_problem, c.module.prefix); }),
        row(
            "module.schedule", "table|static", "table",
            "static is straight-line calls without callback: smaller and a little faster",
            READ {
                assign_choice(c.module.schedule, r.choice(v, n, {"table", "static"}));
            }),
        row(
            "module.vendor", "TEXT", "the platform's vendor", "names the .pdsc of a CMSIS pack",
            READ { assign(c.module.vendor, r.text(v, n)); }),
    };
}

std::vector<KeyRow> test_keys() {
    return {
        flag(
            "test.enabled", "false", "adds the self-test to the module",
            READ { assign(c.test.enabled, r.boolean(v, n)); }),
        row(
            "test.golden_data", "PATH", "",
            "test vectors, .npz with input_N and output_N; else from the host execution",
            READ { read_optional_path(r, v, n, c.test.golden_data); }),
        row(
            "test.tolerance", "NUMBER", "0 for integers, 1e-5 relative for float",
            "how far an output may be from its expected value",
            READ { assign(c.test.tolerance, r.number(v, n, 0)); }),
        tree(
            "transforms", "LIST", "[]",
            "graph passes on or off: {name, enabled, options}; name * is all; later entries win",
            READ { c.transforms = read_transforms(r, v, n); }),
    };
}

std::vector<KeyRow> memory_keys() {
    return {
        row(
            "memory.planner", "best|greedy", "best",
            "how scratch memory is planned; greedy is largest first",
            READ {
                assign_choice(c.memory.planner, r.choice(v, n, {"best", "greedy"}));
            }),
        tree(
            "memory.constraints", "LIST", "[]",
            "byte budgets of memories: {name, max_size}; sizes accept 96K and 1M",
            READ { c.memory.constraints = read_constraints(r, v, n); }),
        tree(
            "memory.tensors", "LIST", "[]", "rules that place tensors: {type, id, attributes}",
            READ { c.memory.tensors = read_rules(r, v, n, RuleKind::tensors); }),
        flag(
            "memory.allocate_arenas", "true",
            "the module owns its arenas; false: the application binds them",
            READ { assign(c.memory.allocate_arenas, r.boolean(v, n)); }),
        flag(
            "memory.auto_hydrate_constants", "true",
            "init copies staged constants; false: the application does",
            READ { assign(c.memory.auto_hydrate_constants, r.boolean(v, n)); }),
        flag(
            "memory.honor_offline_plan", "false",
            "follows the offsets of the model's own OfflineMemoryAllocation",
            READ { assign(c.memory.honor_offline_plan, r.boolean(v, n)); }),
        flag(
            "memory.dump_residency_json", "false", "writes <prefix>_residency.json",
            READ { assign(c.memory.dump_residency_json, r.boolean(v, n)); }),
    };
}

std::vector<KeyRow> platform_keys() {
    return {
        row(
            "platform.name", "NAME", "apollo510_evb",
            "a platform's name, or the path of a YAML file that describes one",
            READ {
                c.platform.origin = r.origin(v);
                assign(c.platform.name, r.text(v, n));
            }),
        row(
            "platform.cpu", "CPU", "the platform's", "the core that code is chosen for",
            READ { assign(c.platform.cpu, read_core(r, v, n)); }),
        tree(
            "platform.features", "LIST", "the platform's",
            "the core's features: dsp, fpu, mve, mve_fp",
            READ { c.platform.features = read_features(r, v, n); }),
        tree(
            "platform.memories", "LIST", "the platform's",
            "the memories: {name, size, kind, writable, read_cost, code_only, executable, note}",
            READ { c.platform.memories = read_memories(r, v, n); }),
        tree(
            "platform.order", "MAP", "the platform's",
            "memories in order of preference for scratch, persistent and constant",
            READ { c.platform.order = read_order(r, v, n); }),
        tree(
            "platform.section_macros", "MAP", "the platform's",
            "what placement macros are defined as: PUT_IN_<MEMORY>, _INIT, PUT_CODE_IN_<MEMORY>",
            READ { c.platform.section_macros = read_section_macros(r, v, n); }),
        row(
            "platform.min_alignment", "BYTES", "the platform's", "least alignment of arenas",
            READ { assign(c.platform.min_alignment, r.alignment(v, n)); }),
        row(
            "platform.vendor", "TEXT", "the platform's", "the vendor of the part",
            READ { assign(c.platform.vendor, r.text(v, n)); }),
    };
}

std::vector<KeyRow> other_keys() {
    return {
        tree(
            "operators", "LIST", "[]",
            "rules on operators: {type, id, attributes: {code_placement, scratch_placement, "
            "kernel}}",
            READ { c.operators = read_rules(r, v, n, RuleKind::operators); }),
        tree(
            "custom_operators", "LIST", "[]",
            "custom operators that the application implements: {name, outputs}; outputs, when "
            "given, is their number or a list of {type, shape} that the model must agree with",
            READ { c.custom_operators = read_custom_operators(r, v, n); }),
        row(
            "kernels.optimize", "balanced|speed|size|portable", "balanced",
            "what kernels are chosen for; portable uses portable kernels only",
            READ {
                assign_choice(c.optimize,
                              r.choice(v, n, {"balanced", "speed", "size", "portable"}));
            }),
        row(
            "numerics.rounding", "double|single", "double",
            "the rounding of requantisation; single matches other runtimes",
            READ {
                assign_choice(c.rounding, r.choice(v, n, {"double", "single"}));
            }),
        row(
            "numerics.scales", "double|float32", "double",
            "the precision in which products of scales are formed",
            READ {
                assign_choice(c.scales, r.choice(v, n, {"double", "float32"}));
            }),
        flag(
            "documentation.html", "false", "writes the HTML report into the module",
            READ { assign(c.documentation_html, r.boolean(v, n)); }),
        flag(
            "force", "false", "replaces an existing module that Ingot wrote",
            READ { assign(c.force, r.boolean(v, n)); }),
        row("verbose", "INT", "0", "how much is told, as the number of -v", read_verbose),
        row(
            "log_file", "PATH", "", "writes the messages to a file as well",
            READ { read_optional_path(r, v, n, c.log_file); }),
    };
}

#undef READ

}  // namespace

const std::vector<KeyRow>& key_table() {
    static const std::vector<KeyRow> table = [] {
        std::vector<KeyRow> rows;
        for (auto part :
             {model_keys, module_keys, test_keys, memory_keys, platform_keys, other_keys}) {
            for (KeyRow& key : part()) rows.push_back(std::move(key));
        }
        return rows;
    }();
    return table;
}

const std::vector<KeyInfo>& keys() {
    static const std::vector<KeyInfo> infos = [] {
        std::vector<KeyInfo> result;
        for (const KeyRow& key : key_table()) result.push_back(key.info);
        return result;
    }();
    return infos;
}

}  // namespace ingot::config
