#include "config/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "config/config.h"
#include "support/utf8.h"

namespace ingot::config {
namespace {

using support::ExitStatus;
using support::Failure;

constexpr std::size_t kDeepest = 32;         // our deepest value has 5 levels
constexpr std::size_t kMostValues = 200000;  // with aliases written out

// yaml-cpp counts lines and bytes from 0; people count lines and characters from 1.
class Positions {
  public:
    explicit Positions(std::string_view text) : text_(text) {
        starts_.push_back(0);
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\n') starts_.push_back(i + 1);
        }
    }

    std::pair<int, int> of(const YAML::Mark& mark) const {
        if (mark.is_null()) return {1, 1};
        const auto line = static_cast<std::size_t>(mark.line);
        if (line >= starts_.size()) return {mark.line + 1, mark.column + 1};
        const std::string_view prefix =
            text_.substr(starts_[line], static_cast<std::size_t>(mark.column));
        return {mark.line + 1, static_cast<int>(support::utf8_length(prefix)) + 1};
    }

  private:
    std::string_view text_;
    std::vector<std::size_t> starts_;
};

// Builds the tree from the parser's events.
class Builder : public YAML::EventHandler {
  public:
    Builder(std::string file, const Positions& positions, support::Diagnostics& diagnostics)
        : file_(std::move(file)), positions_(positions), diagnostics_(diagnostics) {}

    NodePtr root() const { return root_; }
    YAML::Mark start() const { return start_; }

    void OnDocumentStart(const YAML::Mark& mark) override { start_ = mark; }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        open(Node::Kind::null, mark, "?", anchor);
        close();
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        open(Node::Kind::scalar, mark, tag, anchor);
        stack_.back().node->text = value;
        close();
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) fail(mark, "an alias stands inside its own anchor");
        add(mark, found->second);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(Node::Kind::list, mark, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(Node::Kind::map, mark, tag, anchor);
    }
    void OnMapEnd() override { close(); }

    [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message,
                           const std::string& hint = {}) const {
        const auto [line, column] = positions_.of(mark);
        throw Failure(ExitStatus::usage, place(file_, line, column), message, hint);
    }

  private:
    struct Open {
        std::shared_ptr<Node> node;
        YAML::Mark mark;
        YAML::anchor_t anchor = YAML::NullAnchor;
        NodePtr key;                           // of a map: waits for its value
        std::map<std::string, int> seen = {};  // keys and their lines
    };

    void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
              YAML::anchor_t anchor) {
        static const std::string kStandard = "tag:yaml.org,2002:";
        if (!tag.empty() && tag != "?" && tag != "!" &&
            tag.compare(0, kStandard.size(), kStandard) != 0) {
            fail(mark, "the tag " + in_quotes(tag) + " means nothing here");
        }
        if (stack_.size() >= kDeepest) fail(mark, "the values are nested too deeply");
        Open opened{std::make_shared<Node>(), mark, anchor, nullptr};
        opened.node->kind = kind;
        std::tie(opened.node->line, opened.node->column) = positions_.of(mark);
        stack_.push_back(std::move(opened));
    }

    void close() {
        const Open closed = std::move(stack_.back());
        stack_.pop_back();
        if (closed.anchor != YAML::NullAnchor) anchors_[closed.anchor] = closed.node;
        add(closed.mark, closed.node);
    }

    void add(const YAML::Mark& mark, const NodePtr& node) {
        if (stack_.empty()) {
            root_ = node;
            return;
        }
        Open& parent = stack_.back();
        parent.node->weight += node->weight;
        if (parent.node->weight > kMostValues) fail(mark, "there are too many values");
        if (parent.node->is_list()) {
            parent.node->items.push_back(node);
        } else if (parent.key == nullptr) {
            parent.key = checked_key(mark, parent, node);
        } else {
            parent.node->entries.emplace_back(std::move(parent.key), node);
            parent.key = nullptr;
        }
    }

    NodePtr checked_key(const YAML::Mark& mark, Open& map, const NodePtr& key) {
        if (!key->is_scalar()) fail(mark, "a key must be text, not " + describe(*key));
        if (key->text == "<<") fail(mark, "merge keys are not supported", "write the keys out");
        const auto [first, fresh] = map.seen.emplace(key->text, key->line);
        if (!fresh) {
            diagnostics_.error(place(file_, key->line, key->column),
                               "duplicate key " + in_quotes(key->text),
                               "it is given on line " + std::to_string(first->second) + " already");
        }
        return key;
    }

    std::string file_;
    const Positions& positions_;
    support::Diagnostics& diagnostics_;
    YAML::Mark start_;
    NodePtr root_;
    std::vector<Open> stack_;
    std::map<YAML::anchor_t, NodePtr> anchors_;
};

// Whether every reader of YAML takes the text, unquoted, for what it is: a word, or digits.
bool is_plain(const std::string& text) {
    static const std::set<std::string> kOther = {"null", "~", "yes", "no", "on", "off", "y", "n"};
    std::string lower = text;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    if (lower.empty() || kOther.count(lower) != 0) return false;
    if (letter(lower[0])) {
        return std::all_of(lower.begin(), lower.end(),
                           [&](char c) { return letter(c) || digit(c) || c == '/' || c == '.'; });
    }
    const bool unit = lower.back() == 'k' || lower.back() == 'm';
    return lower[0] != '0' && lower.size() > (unit ? 1U : 0U) &&
           std::all_of(lower.begin(), lower.end() - (unit ? 1 : 0), digit);
}

// Refuses what a parser need not see: text that is too large or not UTF-8.
void check_text(const std::string& text, const std::string& file) {
    if (text.size() > kYamlLimit) {
        throw Failure(ExitStatus::usage, file, "the configuration is larger than 1 MiB");
    }
    const std::size_t good = support::utf8_prefix(text);
    const std::size_t zero = std::min(text.find('\0'), text.size());
    if (good == text.size() && zero == text.size()) return;
    const std::string_view before = std::string_view(text).substr(0, std::min(good, zero));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::string_view row = before.substr(before.rfind('\n') + 1);
    throw Failure(
        ExitStatus::usage,
        place(file, static_cast<int>(line), static_cast<int>(support::utf8_length(row)) + 1),
        "the configuration is not UTF-8 text");
}

std::string hint_for(const std::string& message) {
    if (message.find("alias") != std::string::npos || message == YAML::ErrorMsg::UNKNOWN_ANCHOR) {
        return "quote a value that begins with '*': name: \"*\"";
    }
    if (message.find("tab") != std::string::npos) return "indent with spaces";
    return {};
}

}  // namespace

std::string place(const std::string& file, int line, int column) {
    return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string in_quotes(std::string_view text) {
    return "'" + support::printable(text, 60) + "'";
}

std::string describe(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null:
            return "nothing";
        case Node::Kind::scalar:
            return in_quotes(node.text);
        case Node::Kind::list:
            return "a list";
        case Node::Kind::map:
            return "a map";
    }
    return "nothing";
}

std::string flow_text(const std::string& text) {
    if (is_plain(text)) return text;
    static const char* const kDigits = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f || c == '\'') {
            quoted += std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
        } else {
            if (c == '"' || c == '\\') quoted += '\\';
            quoted += c;
        }
    }
    return quoted + "\"";
}

std::string flow_yaml(const Node& node) {
    if (node.is_null()) return "null";
    if (node.is_scalar()) return flow_text(node.text);
    std::string text;
    for (const NodePtr& item : node.items) {
        text += (text.empty() ? "" : ", ") + flow_yaml(*item);
    }
    for (const auto& [key, value] : node.entries) {
        text += (text.empty() ? "" : ", ") + flow_yaml(*key) + ": " + flow_yaml(*value);
    }
    return node.is_list() ? "[" + text + "]" : "{" + text + "}";
}

NodePtr parse_yaml(const std::string& text, const std::string& file,
                   support::Diagnostics& diagnostics) {
    check_text(text, file);
    const Positions positions(text);
    Builder builder(file, positions, diagnostics);
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder)) return std::make_shared<Node>();
        Builder second(file, positions, diagnostics);
        if (parser.HandleNextDocument(second)) {
            second.fail(second.start(), "a second document begins here",
                        "a configuration is one YAML document");
        }
    } catch (const YAML::Exception& error) {
        builder.fail(error.mark, "not YAML: " + error.msg, hint_for(error.msg));
    }
    return builder.root() ? builder.root() : std::make_shared<Node>();
}

}  // namespace ingot::config
