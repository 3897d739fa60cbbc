#include "platforms/description.h"

#include <limits>

#include "config/cores.h"
#include "config/lists.h"
#include "config/reader.h"
#include "platforms/orders.h"
#include "support/diagnostics.h"

namespace ingot::platforms {
namespace {

using config::Node;
using config::Reader;

constexpr std::int64_t kFastestClock = 100000;  // MHz

// What a description says, before defaults are filled in.
struct Parts {
    std::vector<config::InlineMemory> memories;
    std::map<std::string, std::vector<std::string>> order;
    std::optional<std::vector<std::string>> features;
};

void read_text(Reader& reader, const Node& node, const std::string& name, std::string& to) {
    to = reader.text(node, name).value_or(to);
}

Parts read_parts(Reader& r, const Node& root, Platform& p) {
    Parts parts;
    r.fields(
        root, "platform",
        {{"name", [&](auto& n, auto& k) { read_text(r, n, k, p.name); }},
         {"description", [&](auto& n, auto& k) { read_text(r, n, k, p.description); }},
         {"vendor", [&](auto& n, auto& k) { read_text(r, n, k, p.vendor); }},
         {"source", [&](auto& n, auto& k) { read_text(r, n, k, p.source); }},
         {"cpu", [&](auto& n, auto& k) { p.cpu = config::read_core(r, n, k).value_or(p.cpu); }},
         {"features", [&](auto& n, auto& k) { parts.features = config::read_features(r, n, k); }},
         {"clocks_mhz",
          [&](auto& n, auto& k) {
              r.items(n, k, [&](auto& item, auto& where) {
                  const auto clock = r.integer(item, where, 1, kFastestClock);
                  if (clock) p.clocks_mhz.push_back(*clock);
              });
          }},
         {"min_alignment",
          [&](auto& n, auto& k) { p.min_alignment = r.alignment(n, k).value_or(p.min_alignment); }},
         {"memories", [&](auto& n, auto& k) { parts.memories = config::read_memories(r, n, k); }},
         {"section_macros",
          [&](auto& n, auto& k) { p.section_macros = config::read_section_macros(r, n, k); }},
         {"order", [&](auto& n, auto& k) { parts.order = config::read_order(r, n, k); }}});
    return parts;
}

}  // namespace

Memory apply(Memory memory, const config::InlineMemory& given) {
    memory.name = given.name;
    if (given.size) memory.size = given.size;
    if (given.volatile_memory) memory.is_volatile = *given.volatile_memory;
    // Nonvolatile memory is read only unless its description says otherwise.
    if (given.writable || given.volatile_memory) {
        memory.writable = given.writable.value_or(memory.is_volatile);
    }
    if (given.read_cost) memory.read_cost = *given.read_cost;
    if (given.code_only) memory.code_only = *given.code_only;
    if (given.executable) memory.executable = *given.executable;
    if (given.confirmed) memory.confirmed = *given.confirmed;
    if (!given.note.empty()) memory.note = given.note;
    return memory;
}

Platform read_description(const std::string& yaml, const std::string& file) {
    support::Diagnostics diagnostics;
    Reader reader(file, diagnostics);
    const config::NodePtr root = config::parse_yaml(yaml, file, diagnostics);
    Platform platform;
    platform.name = "custom";
    platform.vendor = "Generic";
    platform.cpu = "generic";
    const Parts parts = read_parts(reader, *root, platform);
    platform.features = parts.features.value_or(config::core_features(platform.cpu));
    for (const config::InlineMemory& memory : parts.memories) {
        platform.memories.push_back(apply(Memory{}, memory));
    }
    for (std::size_t role = 0; role < kRoles.size(); ++role) {
        platform.order[role] = default_order(platform.memories, role);
    }
    apply_order(platform, parts.order);
    diagnostics.throw_if_errors(support::ExitStatus::usage);
    check(platform, file);
    return platform;
}

}  // namespace ingot::platforms
