// The typed, validated configuration: defaults, then the YAML file, then flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::config {

/// A place in a configuration source: `config.yaml:7:13`, or `--memory.planner`.
struct Origin {
    std::string file;  ///< path as given, or the flag's name
    int line = 0;      ///< 1-based; 0 for flags
    int column = 0;    ///< 1-based

    std::string to_text() const;
};

enum class ModuleType { cmake, zephyr, nsx, cmsis_pack };
enum class Schedule { table, straight };  ///< `static` is a C++ keyword
enum class Planner { best, greedy };
enum class Optimize { balanced, speed, size, portable };
enum class Rounding { twice, once };  ///< `double` and `single` in the file
enum class Scales { f64, f32 };       ///< `double` and `float32` in the file

/// `{name, enabled, options}`; later entries win; name `*` is every pass.
struct TransformSetting {
    std::string name;
    bool enabled = true;
    std::map<std::string, std::string> options;
    Origin origin;
};

/// A byte budget for one memory.
struct MemoryConstraint {
    std::string name;            ///< lower case
    std::uint64_t max_size = 0;  ///< bytes
    Origin origin;
};

/// A rule on tensors or operators: matched by type and id, merged by specificity
/// none < type < id < type and id; among equals the later wins (docs/configuration.md).
struct Rule {
    std::string type;              ///< upper-cased role or operator type; empty for all
    std::vector<std::string> ids;  ///< ids or globs; empty for all

    // Attributes of tensor rules; each absent when the rule says nothing of it.
    std::optional<std::vector<std::string>> memory;  ///< lower case, in order of preference
    std::optional<std::vector<std::string>> constant_destination_memory;  ///< may be `auto`
    std::optional<std::uint64_t> min_size;         ///< the rule matches tensors of at least this
    std::optional<std::uint64_t> max_size;         ///< … and at most this, bytes
    std::optional<std::uint64_t> arena_alignment;  ///< power of two, bytes
    std::optional<std::uint64_t> offset;  ///< in the scratch arena; a multiple of 16, bytes

    // Attributes of operator rules.
    std::optional<std::string> code_placement;  ///< a memory, lower case
    /// Lower case, in order of preference.
    std::optional<std::vector<std::string>> scratch_placement;
    std::optional<std::string> kernel;

    Origin origin;
};

/// What a declared custom operator writes, as far as the configuration says.
struct CustomOutput {
    std::string type;                                ///< lower case: `int8`; empty for any
    std::optional<std::vector<std::int64_t>> shape;  ///< absent for any
};

/// A custom operator that the application implements.
struct CustomOperator {
    std::string name;  ///< exactly the model's
    /// What the model must agree with: nothing, the number of outputs, or each of them.
    std::optional<std::int64_t> output_count;
    std::vector<CustomOutput> outputs;  ///< `output_count` of them, or none
    Origin origin;
};

/// One memory as a configuration may describe it inline; see platforms::Memory.
struct InlineMemory {
    std::string name;  ///< lower case
    std::optional<std::uint64_t> size;
    std::optional<bool> volatile_memory;
    std::optional<bool> writable;
    std::optional<double> read_cost;
    std::optional<bool> code_only;
    std::optional<bool> executable;
    std::optional<bool> confirmed;
    std::string note;
    Origin origin;
};

/// `platform:`: a named platform, parts of which may be overridden inline.
struct PlatformConfig {
    std::string name = "apollo510_evb";  ///< a name, or a path to a YAML file
    std::optional<std::string> cpu;
    std::optional<std::vector<std::string>> features;
    std::optional<std::vector<InlineMemory>> memories;
    std::map<std::string, std::vector<std::string>> order;  ///< role → memories, lower case
    std::optional<std::uint64_t> min_alignment;
    std::optional<std::string> vendor;
    std::map<std::string, std::string> section_macros;  ///< `PUT_IN_DTCM` → its text
    Origin origin;
};

struct ModelConfig {
    std::filesystem::path path;
    std::int64_t subgraph = 0;
    std::string signature;
    std::optional<std::string> name;
    std::optional<std::string> description;
    std::string version = "v1.0.0";
    std::map<std::string, std::vector<std::int64_t>> input_shapes;  ///< by name or index
    bool inputs_overwritable = true;
};

struct ModuleConfig {
    std::filesystem::path path = ".";
    std::string name = "aot_module";
    ModuleType type = ModuleType::cmake;
    std::string prefix = "aot";
    Schedule schedule = Schedule::table;
    std::optional<std::string> vendor;
};

struct TestConfig {
    bool enabled = false;
    std::optional<std::filesystem::path> golden_data;
    std::optional<double> tolerance;
};

struct MemoryConfig {
    Planner planner = Planner::best;
    std::vector<MemoryConstraint> constraints;
    std::vector<Rule> tensors;
    bool allocate_arenas = true;
    bool auto_hydrate_constants = true;
    bool honor_offline_plan = false;
    bool dump_residency_json = false;
};

struct Config {
    ModelConfig model;
    ModuleConfig module;
    TestConfig test;
    std::vector<TransformSetting> transforms;
    MemoryConfig memory;
    PlatformConfig platform;
    std::vector<Rule> operators;
    std::vector<CustomOperator> custom_operators;
    Optimize optimize = Optimize::balanced;
    Rounding rounding = Rounding::twice;
    Scales scales = Scales::f64;
    bool documentation_html = false;
    bool force = false;
    int verbose = 0;
    std::optional<std::filesystem::path> log_file;

    /// Where each key that was given came from, by dotted key; for messages found later.
    std::map<std::string, Origin> origins;
    /// The entries of each list that was given, as the user has them but on one line each, by
    /// dotted key: `{type: constant, attributes: {memory: mram}}`. What puts them together again.
    std::map<std::string, std::vector<std::string>> entries;
};

/// One configuration key; flags, help, YAML validation and the reference page are made from it.
struct KeyInfo {
    std::string key;           ///< dotted: `memory.planner`
    std::string value;         ///< what it takes: `best|greedy`, `BOOL`, `SIZE`, `LIST`
    std::string default_text;  ///< as printed
    std::string description;   ///< one sentence
    bool boolean = false;      ///< `--key`, `--no-key`, `--key=true|false`
};

/// Every key, in the order of the reference page.
const std::vector<KeyInfo>& keys();

/// A value given by a flag, as text: a scalar, or inline YAML for lists and maps.
struct FlagValue {
    std::string key;  ///< dotted, with underscores
    std::string value;
};

/// Reads the YAML text (may be empty) and then the flags. `file` names it in messages.
/// Throws Failure(usage) with every mistake, each with line and column and a suggestion.
Config load(const std::string& yaml, const std::string& file, const std::vector<FlagValue>& flags);

/// The text as a YAML scalar: plain where every reader takes it for what it is, else quoted. It
/// has no apostrophe and no line break, so that a shell takes it in apostrophes.
std::string flow_text(const std::string& text);

/// A list with `entries` (of Config::entries) and `more` behind them.
std::string flow_list(const std::vector<std::string>& entries,
                      const std::vector<std::string>& more);

/// Sets one key as a flag does: a list replaces the one that was there. Throws Failure(usage).
void set(Config& config, const FlagValue& flag);

/// `96K`, `1M`, `4096` → bytes (K = 1024, M = 1024²); nothing when it is not a size.
std::optional<std::uint64_t> parse_size(const std::string& text);

}  // namespace ingot::config
