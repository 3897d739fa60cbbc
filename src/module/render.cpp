#include "module/render.h"

#include <fmt/core.h>

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <stdexcept>
#include <vector>

#include "support/embedded.h"

namespace ingot::module {
namespace {

using nlohmann::json;
namespace mustache = kainjow::mustache;

mustache::data convert(const json& value) {
    switch (value.type()) {
        case json::value_t::string:
            return mustache::data(value.get<std::string>());
        case json::value_t::boolean:
            return mustache::data(value.get<bool>() ? mustache::data::type::bool_true
                                                    : mustache::data::type::bool_false);
        case json::value_t::array: {
            mustache::data list(mustache::data::type::list);
            for (const json& item : value) list << convert(item);
            return list;
        }
        case json::value_t::object: {
            mustache::data object(mustache::data::type::object);
            for (const auto& [key, item] : value.items()) object.set(key, convert(item));
            return object;
        }
        case json::value_t::number_integer:
        case json::value_t::number_unsigned:
            return mustache::data(value.dump());
        default:
            throw std::logic_error("a template value of a type that has no text");
    }
}

/// A tag of a template: kind is the character after the delimiter, a blank for a variable.
struct Tag {
    char kind = ' ';
    std::string name;
};

std::vector<Tag> tags(const std::string& text) {
    std::vector<Tag> list;
    for (std::size_t at = text.find("<%"); at != std::string::npos; at = text.find("<%", at)) {
        const std::size_t end = text.find("%>", at);
        if (end == std::string::npos) break;  // the library reports it
        Tag tag;
        std::size_t begin = at + 2;
        if (std::string_view("#^/").find(text[begin]) != std::string_view::npos) {
            tag.kind = text[begin++];
        }
        tag.name = text.substr(begin, end - begin);
        list.push_back(std::move(tag));
        at = end + 2;
    }
    return list;
}

/// Mustache renders a name that is missing as nothing; here that is a fault. Walks the tags as
/// the library does, lists by their first item.
class NameCheck {
  public:
    NameCheck(std::string_view template_name, const std::string& text)
        : template_name_(template_name), tags_(tags(text)) {}

    void run(const json& data) {
        scopes_.push_back(&data);
        while (position_ < tags_.size()) block(true);
    }

  private:
    const json* find(const std::string& name) const {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
            if (!(*scope)->is_object()) continue;
            const auto found = (*scope)->find(name);
            if (found != (*scope)->end()) return &*found;
        }
        throw std::logic_error(fmt::format("template {}: no value for '{}'", template_name_, name));
    }

    void section(const Tag& tag, bool shown) {
        static const json nothing = false;
        const json* value = shown ? find(tag.name) : &nothing;
        const bool truthy = value->is_array() ? !value->empty() : *value != json(false);
        const bool inside = shown && truthy == (tag.kind == '#');
        scopes_.push_back(value->is_array() && truthy ? &value->front() : value);
        block(inside);
        scopes_.pop_back();
    }

    /// Checks the tags up to the end of the section.
    void block(bool shown) {
        while (position_ < tags_.size()) {
            const Tag& tag = tags_[position_++];
            if (tag.kind == '/') return;
            if (tag.kind != ' ') {
                section(tag, shown);
            } else if (shown && find(tag.name)->is_structured()) {
                throw std::logic_error(
                    fmt::format("template {}: '{}' has no text", template_name_, tag.name));
            }
        }
    }

    std::string_view template_name_;
    std::vector<Tag> tags_;
    std::size_t position_ = 0;
    std::vector<const json*> scopes_;
};

/// Stands for a line break while the library renders: it has rules of its own for lines.
constexpr char kLineBreak = '\x01';

bool is_section_tag(std::string_view tag) {
    return tag.size() > 2 && std::string_view("#^/").find(tag[2]) != std::string_view::npos;
}

/// Whether a line is nothing but section tags: such lines leave no trace, whatever they show.
bool only_sections(std::string_view line) {
    if (line.empty()) return false;
    while (!line.empty()) {
        const std::size_t end = line.find("%>");
        if (line.substr(0, 2) != "<%" || end == std::string_view::npos) return false;
        if (!is_section_tag(line.substr(0, end))) return false;
        line.remove_prefix(end + 2);
    }
    return true;
}

std::string without_line_breaks(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        result += line;
        if (end < text.size() && !only_sections(line)) result += kLineBreak;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

}  // namespace

std::string render_text(std::string_view name, const std::string& text, const json& data) {
    NameCheck(name, text).run(data);
    mustache::mustache compiled("{{=<% %>=}}" + without_line_breaks(text));
    compiled.set_custom_escape([](const std::string& value) { return value; });
    std::string result = compiled.render(convert(data));
    if (!compiled.is_valid()) {
        throw std::logic_error(fmt::format("template {}: {}", name, compiled.error_message()));
    }
    std::replace(result.begin(), result.end(), kLineBreak, '\n');
    return result;
}

std::string render(std::string_view path, const json& data) {
    return render_text(path, std::string(support::embedded_file(path)), data);
}

}  // namespace ingot::module
