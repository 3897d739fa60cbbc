// The values of the configuration that are lists and maps: rules, transforms, memories.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/reader.h"

namespace ingot::config {

enum class RuleKind { tensors, operators };

std::vector<Rule> read_rules(Reader& reader, const Node& node, const Name& name, RuleKind kind);
std::vector<TransformSetting> read_transforms(Reader& reader, const Node& node, const Name& name);
std::vector<MemoryConstraint> read_constraints(Reader& reader, const Node& node, const Name& name);
std::vector<CustomOperator> read_custom_operators(Reader& reader, const Node& node,
                                                  const Name& name);
std::vector<InlineMemory> read_memories(Reader& reader, const Node& node, const Name& name);
/// Role → memories.
std::map<std::string, std::vector<std::string>> read_order(Reader& reader, const Node& node,
                                                           const Name& name);
/// Placement macros without the module's prefix, `PUT_IN_DTCM`, and their text.
std::map<std::string, std::string> read_section_macros(Reader& reader, const Node& node,
                                                       const Name& name);
/// The memory that such a macro is for, lower case; empty for what is none.
std::string section_macro_memory(std::string_view macro);
std::map<std::string, std::vector<std::int64_t>> read_shapes(Reader& reader, const Node& node,
                                                             const Name& name);
/// A core in the form of config::cores().
std::optional<std::string> read_core(Reader& reader, const Node& node, const Name& name);
/// The known names of processor features; an unknown one is a mistake.
std::vector<std::string> read_features(Reader& reader, const Node& node, const Name& name);

}  // namespace ingot::config
