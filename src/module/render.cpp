#include "module/render.h"

#include <fmt/core.h>

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

}  // namespace

std::string render_text(std::string_view name, const std::string& text, const json& data) {
    NameCheck(name, text).run(data);
    mustache::mustache compiled("{{=<% %>=}}" + text);
    compiled.set_custom_escape([](const std::string& value) { return value; });
    std::string result = compiled.render(convert(data));
    if (!compiled.is_valid()) {
        throw std::logic_error(fmt::format("template {}: {}", name, compiled.error_message()));
    }
    return result;
}

std::string render(std::string_view path, const json& data) {
    return render_text(path, std::string(support::embedded_file(path)), data);
}

}  // namespace ingot::module
