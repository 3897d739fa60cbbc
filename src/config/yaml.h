// YAML text → a tree that knows where everything stands. Strict where YAML is lax: duplicate
// keys, a second document, unknown tags and expanding aliases are mistakes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/diagnostics.h"

namespace ingot::config {

struct Node;
using NodePtr = std::shared_ptr<const Node>;  ///< shared by the aliases of an anchor

/// One value of a YAML document.
struct Node {
    enum class Kind { null, scalar, list, map };

    Kind kind = Kind::null;
    int line = 0;                ///< 1-based
    int column = 0;              ///< 1-based, in characters
    std::string text;            ///< of a scalar
    std::size_t weight = 1;      ///< values in it, itself included, aliases counted in full
    std::vector<NodePtr> items;  ///< of a list
    std::vector<std::pair<NodePtr, NodePtr>> entries;  ///< of a map, in the file's order

    bool is_null() const { return kind == Kind::null; }
    bool is_scalar() const { return kind == Kind::scalar; }
    bool is_list() const { return kind == Kind::list; }
    bool is_map() const { return kind == Kind::map; }
};

/// Largest configuration that is read, bytes.
inline constexpr std::size_t kYamlLimit = std::size_t{1} << 20;

/// The only document of the text; a null node for an empty text. `file` names it in messages.
/// Errors in the syntax throw Failure(usage); duplicate keys are added to `diagnostics`, so
/// that they are shown together with the mistakes in the values.
NodePtr parse_yaml(const std::string& text, const std::string& file,
                   support::Diagnostics& diagnostics);

/// `config.yaml:7:13`
std::string place(const std::string& file, int line, int column);

/// The text in quotes, shortened and without control characters: safe to print.
std::string in_quotes(std::string_view text);

/// The value on one line, as YAML that gives the same tree; aliases are written out. It has no
/// apostrophe, so that a shell takes it in such.
std::string flow_yaml(const Node& node);

/// A scalar as text in quotes; `a list`, `a map` or `nothing` for the other kinds.
std::string describe(const Node& node);

}  // namespace ingot::config
