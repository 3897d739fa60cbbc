#include "module/report_page.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "module/render.h"
#include "support/embedded.h"

namespace ingot::module {
namespace {

using nlohmann::json;

// Text as HTML shows it.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '&':
                result += "&amp;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

// JSON that can stand in a script element: `<` is what could end that, or begin a comment in it.
// In JSON these characters stand in strings only, where an escape means the same.
std::string script_safe(const json& value) {
    std::string result;
    for (const char c : value.dump(-1, ' ', true, json::error_handler_t::replace)) {
        if (c == '<') {
            result += "\\u003c";
        } else if (c == '>') {
            result += "\\u003e";
        } else if (c == '&') {
            result += "\\u0026";
        } else {
            result += c;
        }
    }
    return result;
}

std::string part(const char* name) {
    std::string text(support::embedded_file(std::string("templates/report/") + name));
    if (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

}  // namespace

std::string report_page(const json& map) {
    // The model's name is a file's and need not be UTF-8.
    const json title =
        json::parse(json(map.at("model")).dump(-1, ' ', false, json::error_handler_t::replace));
    return render("templates/report/page.html.mustache",
                  {{"version", escaped(map.at("compiler_version").get<std::string>())},
                   {"title", escaped(title.get<std::string>())},
                   {"css", part("page.css")},
                   {"data", script_safe(map)},
                   {"model_js", part("model.js")},
                   {"arena_js", part("arena.js")},
                   {"tables_js", part("tables.js")},
                   {"page_js", part("page.js")}});
}

}  // namespace ingot::module
