#include <algorithm>
#include <map>
#include <set>

#include "config/config.h"
#include "config/key_table.h"
#include "config/reader.h"
#include "config/yaml.h"
#include "support/suggest.h"

namespace ingot::config {
namespace {

// What may stand below a section (`` is the root): names and whether each is itself a section.
std::map<std::string, std::set<std::string>> sections() {
    std::map<std::string, std::set<std::string>> result;
    for (const KeyRow& row : key_table()) {
        const std::size_t dot = row.info.key.find('.');
        if (dot == std::string::npos) {
            result[""].insert(row.info.key);
        } else {
            result[""].insert(row.info.key.substr(0, dot));
            result[row.info.key.substr(0, dot)].insert(row.info.key.substr(dot + 1));
        }
    }
    return result;
}

const KeyRow* find_key(const std::string& key) {
    for (const KeyRow& row : key_table()) {
        if (row.info.key == key) return &row;
    }
    return nullptr;
}

// Walks the document and fills in the configuration.
class Loader {
  public:
    Loader(Config& config, Reader reader) : config_(config), reader_(std::move(reader)) {}

    void read_root(const Node& root) {
        if (root.is_null()) return;
        if (!root.is_map()) {
            return reader_.error(root, "a configuration is a map of keys, not " + describe(root));
        }
        read_section(root, "");
    }

    void read_value(const KeyRow& row, const Node& value) {
        config_.origins[row.info.key] = reader_.origin(value);
        if (row.structured) keep_entries(row.info.key, value);
        row.read(config_, reader_, value, row.info.key);
    }

  private:
    void keep_entries(const std::string& key, const Node& list) {
        std::vector<std::string>& entries = config_.entries[key];
        entries.clear();
        for (const NodePtr& item : list.items) entries.push_back(flow_yaml(*item));
    }

    void read_section(const Node& node, const std::string& section) {
        for (const auto& [key, value] : node.entries) {
            const std::string path = section.empty() ? key->text : section + "." + key->text;
            const bool dotted = key->text.find('.') != std::string::npos;
            const KeyRow* row = dotted ? nullptr : find_key(path);
            if (row != nullptr) {
                if (!value->is_null()) read_value(*row, *value);
            } else if (section.empty() && sections_.count(path) != 0) {
                read_subsection(*value, path);
            } else {
                unknown(*key, section);
            }
        }
    }

    void read_subsection(const Node& node, const std::string& section) {
        if (node.is_null()) return;
        if (node.is_map()) return read_section(node, section);
        const std::string first = *sections_.at(section).begin();
        reader_.error(
            node, section + " takes a map, not " + describe(node),
            "write '" + section + ":' and below it, indented, keys such as '" + first + ":'");
    }

    void unknown(const Node& key, const std::string& section) {
        const auto& known = sections_.at(section);
        const std::vector<std::string> names(known.begin(), known.end());
        std::string hint = support::did_you_mean(key.text, names);
        if (find_key(key.text) != nullptr) hint = where_it_belongs(key.text);
        if (hint.empty()) hint = elsewhere(key.text);
        const std::string within = section.empty() ? "" : " in " + section;
        reader_.error(key, "unknown key " + in_quotes(key.text) + within, hint);
    }

    static std::string where_it_belongs(const std::string& key) {
        const std::size_t dot = key.find('.');
        if (dot == std::string::npos) return "'" + key + "' stands at the top level";
        return "write '" + key.substr(dot + 1) + "' below '" + key.substr(0, dot) + ":'";
    }

    // A key that exists under another section.
    static std::string elsewhere(const std::string& name) {
        for (const KeyRow& row : key_table()) {
            const std::size_t dot = row.info.key.find('.');
            if (dot != std::string::npos && row.info.key.substr(dot + 1) == name) {
                return "did you mean '" + row.info.key + "'?";
            }
        }
        return {};
    }

    Config& config_;
    Reader reader_;
    std::map<std::string, std::set<std::string>> sections_ = sections();
};

// A flag's value: inline YAML for lists and maps, else the text as it is.
NodePtr flag_node(const KeyRow& row, const FlagValue& flag, support::Diagnostics& diagnostics) {
    if (row.structured) return parse_yaml(flag.value, "--" + flag.key, diagnostics);
    auto node = std::make_shared<Node>();
    node->kind = Node::Kind::scalar;
    node->text = flag.value;
    return node;
}

void read_flag(Config& config, const FlagValue& flag, support::Diagnostics& diagnostics) {
    const std::string name = "--" + flag.key;
    const KeyRow* row = find_key(flag.key);
    if (row == nullptr) {
        std::vector<std::string> names;
        for (const KeyInfo& info : keys()) names.push_back(info.key);
        diagnostics.error(name, "unknown key", support::did_you_mean(flag.key, names));
        return;
    }
    const NodePtr node = flag_node(*row, flag, diagnostics);
    Loader(config, Reader::for_flag(name, diagnostics)).read_value(*row, *node);
}

// Calls `work` and keeps the errors of a failure with the others.
template <typename Work>
void collecting(support::Diagnostics& diagnostics, Work work) {
    try {
        work();
    } catch (const support::Failure& failure) {
        for (const support::Diagnostic& error : failure.diagnostics()) diagnostics.add(error);
    }
}

}  // namespace

std::string Origin::to_text() const {
    return line == 0 ? file : place(file, line, column);
}

std::string flow_list(const std::vector<std::string>& entries,
                      const std::vector<std::string>& more) {
    std::string text;
    for (const auto* list : {&entries, &more}) {
        for (const std::string& entry : *list) text += (text.empty() ? "" : ", ") + entry;
    }
    return "[" + text + "]";
}

void set(Config& config, const FlagValue& flag) {
    support::Diagnostics diagnostics;
    read_flag(config, flag, diagnostics);
    diagnostics.throw_if_errors(support::ExitStatus::usage);
}

Config load(const std::string& yaml, const std::string& file, const std::vector<FlagValue>& flags) {
    Config config;
    support::Diagnostics diagnostics;
    collecting(diagnostics, [&] {
        const NodePtr root = parse_yaml(yaml, file, diagnostics);
        Loader(config, Reader(file, diagnostics)).read_root(*root);
    });
    for (const FlagValue& flag : flags) {
        collecting(diagnostics, [&] { read_flag(config, flag, diagnostics); });
    }
    diagnostics.throw_if_errors(support::ExitStatus::usage);
    return config;
}

}  // namespace ingot::config
