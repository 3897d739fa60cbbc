// `section_macros` of a platform: how the placement macros are spelt there.
#include <algorithm>
#include <string_view>

#include "config/lists.h"
#include "config/yaml.h"

namespace ingot::config {
namespace {

constexpr std::size_t kLongestValue = 200;  // characters

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

/// The text of a macro on one line, which a header can take as it is.
bool is_macro_text(const std::string& text) {
    const bool printable =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
    return printable && text.size() <= kLongestValue && text.find("/*") == std::string::npos &&
           text.find("//") == std::string::npos && (text.empty() || text.back() != '\\');
}

}  // namespace

std::string section_macro_memory(std::string_view macro) {
    constexpr std::string_view kInit = "_INIT";
    const bool code = starts_with(macro, "PUT_CODE_IN_");
    if (!code && !starts_with(macro, "PUT_IN_")) return "";
    macro.remove_prefix(macro.find("IN_") + 3);
    const bool init =
        macro.size() > kInit.size() && macro.substr(macro.size() - kInit.size()) == kInit;
    if (!code && init) macro.remove_suffix(kInit.size());
    return lower(macro);
}

std::map<std::string, std::string> read_section_macros(Reader& reader, const Node& node,
                                                       const Name& name) {
    std::map<std::string, std::string> macros;
    if (!node.is_map()) {
        reader.error(node, name + " takes a map from macros to their text",
                     "write it as {PUT_IN_DTCM: '__attribute__((section(\".dtcm_bss\")))'}");
        return macros;
    }
    for (const auto& [key, value] : node.entries) {
        const std::string macro = upper(key->text);
        if (section_macro_memory(macro).empty()) {
            reader.error(*key, in_quotes(key->text) + " is no placement macro",
                         "they are PUT_IN_<MEMORY>, PUT_IN_<MEMORY>_INIT, PUT_CODE_IN_<MEMORY>");
            continue;
        }
        const auto text = reader.text(*value, name + "." + key->text);
        if (!text) continue;
        if (!is_macro_text(*text)) {
            reader.error(*value, name + "." + key->text + " is no text of a macro",
                         "give one line of C without comments");
            continue;
        }
        macros[macro] = *text;
    }
    return macros;
}

}  // namespace ingot::config
