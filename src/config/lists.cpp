#include "config/lists.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "config/cores.h"
#include "support/suggest.h"

namespace ingot::config {
namespace {

const std::vector<std::string> kRoles = {"scratch", "persistent", "constant"};

// A name that must be there and not be empty.
std::string required(Reader& reader, const Node& parent, const Name& name,
                     const std::optional<std::string>& value) {
    if (!value) reader.error(parent, name + " has no name");
    if (value && value->empty()) reader.error(parent, "the name in " + name + " is empty");
    return value.value_or("");
}

std::optional<std::string> lower_text(Reader& reader, const Node& node, const Name& name) {
    const auto text = reader.text(node, name);
    return text ? std::optional(lower(*text)) : std::nullopt;
}

// Memories' names become part of C identifiers.
bool is_memory_name(const std::string& name) {
    const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto later = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
    return name.size() <= 32 && letter(name.front()) &&
           std::all_of(name.begin(), name.end(), later);
}

// Memories in order of preference, lower case.
std::optional<std::vector<std::string>> memory_list(Reader& reader, const Node& node,
                                                    const Name& name) {
    auto names = reader.texts(node, name);
    if (!names) return std::nullopt;
    if (names->empty()) reader.error(node, name + " names no memory");
    for (std::string& memory : *names) memory = lower(memory);
    return names;
}

// One place for one tensor: a rule for all tensors of a kind would lay them over each other.
void read_offset(Reader& r, const Node& node, const Name& name, Rule& rule) {
    constexpr std::uint64_t kUnit = 16;  // every offset in an arena is a multiple of this
    const auto offset = r.size(node, name);
    if (rule.type == "CONSTANT" || rule.type == "PERSISTENT") {
        return r.error(node, "only scratch tensors can have an offset");
    }
    if (rule.ids.empty()) {
        return r.error(node, "an offset needs a rule that names tensors",
                       "add an id: 'ingot inspect' lists them");
    }
    if (offset && *offset % kUnit != 0) {
        return r.error(node, name + " is not a multiple of " + std::to_string(kUnit));
    }
    rule.offset = offset;
}

void read_tensor_attributes(Reader& r, const Node& node, const Name& name, Rule& rule) {
    r.fields(
        node, name,
        {{"memory", [&](auto& n, auto& k) { rule.memory = memory_list(r, n, k); }},
         {"constant_destination_memory",
          [&](auto& n, auto& k) {
              rule.constant_destination_memory = memory_list(r, n, k);
              if (rule.type == "SCRATCH" || rule.type == "PERSISTENT") {
                  r.error(n, "only constants have a constant_destination_memory",
                          "use memory to say where " + lower(rule.type) + " tensors live");
              }
          }},
         {"min_size", [&](auto& n, auto& k) { rule.min_size = r.size(n, k); }},
         {"max_size", [&](auto& n, auto& k) { rule.max_size = r.size(n, k); }},
         {"arena_alignment", [&](auto& n, auto& k) { rule.arena_alignment = r.alignment(n, k); }},
         {"offset", [&](auto& n, auto& k) { read_offset(r, n, k, rule); }}});
    if (rule.min_size && rule.max_size && *rule.min_size > *rule.max_size) {
        r.error(node, "min_size is above max_size, so the rule matches nothing");
    }
}

void read_operator_attributes(Reader& r, const Node& node, const Name& name, Rule& rule) {
    r.fields(
        node, name,
        {{"code_placement", [&](auto& n, auto& k) { rule.code_placement = lower_text(r, n, k); }},
         {"scratch_placement",
          [&](auto& n, auto& k) { rule.scratch_placement = memory_list(r, n, k); }},
         {"kernel", [&](auto& n, auto& k) { rule.kernel = r.text(n, k); }}});
}

void read_type(Reader& reader, const Node& node, const Name& name, RuleKind kind, Rule& rule) {
    const auto type = reader.text(node, name);
    if (!type || *type == "*") return;
    // What is neither a role nor like one is an operator's type: which exist is not known here,
    // and one that matches nothing is a note of the planner's.
    const bool role = std::find(kRoles.begin(), kRoles.end(), lower(*type)) != kRoles.end();
    const std::string hint = support::did_you_mean(*type, kRoles);
    if (kind == RuleKind::tensors && !role && !hint.empty()) {
        reader.error(node, in_quotes(*type) + " is no role of a tensor", hint);
        return;
    }
    rule.type = upper(*type);
}

void read_ids(Reader& reader, const Node& node, const Name& name, Rule& rule) {
    const auto ids = reader.texts(node, name);
    if (!ids) return;
    if (ids->empty()) reader.error(node, name + " is empty, so the rule matches nothing");
    // `*` alone is the same as no id: it must not make a rule more specific.
    if (*ids != std::vector<std::string>{"*"}) rule.ids = *ids;
}

}  // namespace

std::vector<Rule> read_rules(Reader& reader, const Node& node, const Name& name, RuleKind kind) {
    std::vector<Rule> rules;
    reader.items(node, name, [&](const Node& item, const Name& where) {
        Rule rule;
        rule.origin = reader.origin(item);
        const Node* attributes = nullptr;
        reader.fields(item, where,
                      {{"type", [&](auto& n, auto& k) { read_type(reader, n, k, kind, rule); }},
                       {"id", [&](auto& n, auto& k) { read_ids(reader, n, k, rule); }},
                       {"attributes", [&](auto& n, auto&) { attributes = &n; }}});
        // Read last: what the attributes may say depends on the type.
        if (attributes != nullptr && kind == RuleKind::tensors) {
            read_tensor_attributes(reader, *attributes, where + ".attributes", rule);
        } else if (attributes != nullptr) {
            read_operator_attributes(reader, *attributes, where + ".attributes", rule);
        }
        rules.push_back(std::move(rule));
    });
    return rules;
}

std::vector<TransformSetting> read_transforms(Reader& reader, const Node& node, const Name& name) {
    std::vector<TransformSetting> settings;
    reader.items(node, name, [&](const Node& item, const Name& where) {
        TransformSetting setting;
        setting.origin = reader.origin(item);
        std::optional<std::string> given;
        reader.fields(
            item, where,
            {{"name", [&](auto& n, auto& k) { given = reader.text(n, k); }},
             {"enabled",
              [&](auto& n, auto& k) { setting.enabled = reader.boolean(n, k).value_or(true); }},
             {"options", [&](auto& n, auto& k) {
                  if (!n.is_map()) return reader.error(n, k + " takes a map");
                  for (const auto& [key, value] : n.entries) {
                      const auto text = reader.text(*value, k + "." + key->text);
                      if (text) setting.options[key->text] = *text;
                  }
              }}});
        if (item.is_map()) setting.name = required(reader, item, where, given);
        settings.push_back(std::move(setting));
    });
    return settings;
}

// Which of two budgets counts would be a guess.
void refuse_second(Reader& reader, const Node& item, const std::string& memory,
                   const std::vector<MemoryConstraint>& before) {
    const auto first = std::find_if(before.begin(), before.end(),
                                    [&](const auto& other) { return other.name == memory; });
    if (first == before.end()) return;
    const int line = first->origin.line;
    reader.error(item, "the budget of memory " + in_quotes(memory) + " is given twice",
                 line == 0 ? "" : "it is given on line " + std::to_string(line) + " already");
}

std::vector<MemoryConstraint> read_constraints(Reader& reader, const Node& node, const Name& name) {
    std::vector<MemoryConstraint> constraints;
    reader.items(node, name, [&](const Node& item, const Name& where) {
        MemoryConstraint constraint;
        constraint.origin = reader.origin(item);
        std::optional<std::string> given;
        bool has_size = false;
        reader.fields(item, where,
                      {{"name", [&](auto& n, auto& k) { given = lower_text(reader, n, k); }},
                       {"max_size", [&](auto& n, auto& k) {
                            has_size = true;
                            constraint.max_size = reader.size(n, k).value_or(0);
                        }}});
        if (!item.is_map()) return;
        constraint.name = required(reader, item, where, given);
        if (!has_size) reader.error(item, where + " has no max_size");
        refuse_second(reader, item, constraint.name, constraints);
        constraints.push_back(std::move(constraint));
    });
    return constraints;
}

std::vector<InlineMemory> read_memories(Reader& reader, const Node& node, const Name& name) {
    std::vector<InlineMemory> memories;
    reader.items(node, name, [&](const Node& item, const Name& where) {
        InlineMemory memory;
        memory.origin = reader.origin(item);
        std::optional<std::string> given;
        reader.fields(
            item, where,
            {{"name", [&](auto& n, auto& k) { given = lower_text(reader, n, k); }},
             {"size", [&](auto& n, auto& k) { memory.size = reader.size(n, k); }},
             {"kind",
              [&](auto& n, auto& k) {
                  const auto kind = reader.choice(n, k, {"nonvolatile", "volatile"});
                  if (kind) memory.volatile_memory = *kind == 1;
              }},
             {"writable", [&](auto& n, auto& k) { memory.writable = reader.boolean(n, k); }},
             {"read_cost", [&](auto& n, auto& k) { memory.read_cost = reader.number(n, k, 0); }},
             {"code_only", [&](auto& n, auto& k) { memory.code_only = reader.boolean(n, k); }},
             {"executable", [&](auto& n, auto& k) { memory.executable = reader.boolean(n, k); }},
             {"confirmed", [&](auto& n, auto& k) { memory.confirmed = reader.boolean(n, k); }},
             {"note", [&](auto& n, auto& k) { memory.note = reader.text(n, k).value_or(""); }}});
        if (!item.is_map()) return;
        memory.name = required(reader, item, where, given);
        if (!memory.name.empty() && !is_memory_name(memory.name)) {
            reader.error(item, in_quotes(memory.name) + " cannot name a memory",
                         "use a letter, then up to 31 letters, digits or underscores");
        }
        const bool twice = std::any_of(memories.begin(), memories.end(), [&](const auto& other) {
            return other.name == memory.name;
        });
        if (twice) reader.error(item, "the memory " + in_quotes(memory.name) + " is given twice");
        memories.push_back(std::move(memory));
    });
    return memories;
}

std::map<std::string, std::vector<std::string>> read_order(Reader& reader, const Node& node,
                                                           const Name& name) {
    std::map<std::string, std::vector<std::string>> order;
    std::map<std::string, Reader::Field> fields;
    for (const std::string& role : kRoles) {
        fields[role] = [&reader, &order, role](const Node& n, const Name& k) {
            if (const auto memories = memory_list(reader, n, k)) order[role] = *memories;
        };
    }
    reader.fields(node, name, fields);
    return order;
}

std::map<std::string, std::vector<std::int64_t>> read_shapes(Reader& reader, const Node& node,
                                                             const Name& name) {
    std::map<std::string, std::vector<std::int64_t>> shapes;
    if (!node.is_map()) {
        reader.error(node, name + " takes a map from inputs to shapes, not " + describe(node),
                     "write it as {input: [1, 16, 16, 3]}");
        return shapes;
    }
    for (const auto& [key, value] : node.entries) {
        std::vector<std::int64_t>& shape = shapes[key->text];
        reader.items(*value, name + "." + key->text, [&](const Node& item, const Name& where) {
            const auto dimension =
                reader.integer(item, where, 1, std::numeric_limits<std::int32_t>::max());
            if (dimension) shape.push_back(*dimension);
        });
    }
    return shapes;
}

std::optional<std::string> read_core(Reader& reader, const Node& node, const Name& name) {
    const auto text = reader.text(node, name);
    if (!text) return std::nullopt;
    auto core = core_name(*text);
    if (!core) {
        std::string hint = support::did_you_mean(*text, cores());
        if (hint.empty())
            hint = "the cores are cortex-m0, m0plus, m3, m4, m7, m23, m33, m55, m85 and generic";
        reader.error(node, in_quotes(*text) + " is no core that code can be chosen for", hint);
    }
    return core;
}

std::vector<std::string> read_features(Reader& reader, const Node& node, const Name& name) {
    const std::vector<std::string> known = {"dsp", "fpu", "mve", "mve_fp"};
    std::vector<std::string> features;
    reader.items(node, name, [&](const Node& item, const Name& where) {
        if (const auto feature = reader.choice(item, where, known)) {
            features.push_back(known[*feature]);
        }
    });
    return features;
}

}  // namespace ingot::config
