#include "module/helpers.h"

#include <map>
#include <string_view>

namespace ingot::module {
namespace {

bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::map<std::string, int, std::less<>> word_counts(std::string_view text) {
    std::map<std::string, int, std::less<>> counts;
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at, 2) == "/*") {
            const std::size_t end = text.find("*/", at);
            if (end == std::string_view::npos) break;
            at = end + 2;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && in_word(text[end])) ++end;
        if (end == at) {
            ++at;
            continue;
        }
        ++counts[std::string(text.substr(at, end - at))];
        at = end;
    }
    return counts;
}

std::string declared_name(std::string_view declaration) {
    std::size_t end = declaration.find_first_of("([=");
    if (end == std::string_view::npos) return {};
    while (end > 0 && !in_word(declaration[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && in_word(declaration[begin - 1])) --begin;
    return std::string(declaration.substr(begin, end - begin));
}

namespace {

/// A static definition: [begin, end) of the text, with its comment and the newline behind it.
struct Helper {
    std::string name;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Where the line begins that `at` is on.
std::size_t line_begin(std::string_view text, std::size_t at) {
    const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return newline == std::string_view::npos ? 0 : newline + 1;
}

/// The beginning of the comment that ends on the line above `begin`, or `begin`.
std::size_t with_comment(std::string_view text, std::size_t begin) {
    if (begin < 3 || text.substr(begin - 3, 3) != "*/\n") return begin;
    const std::size_t open = text.rfind("/*", begin - 3);
    return open == std::string_view::npos || line_begin(text, open) != open ? begin : open;
}

std::vector<Helper> find_helpers(std::string_view text) {
    constexpr std::string_view kStatic = "static ";
    std::vector<Helper> helpers;
    for (std::size_t at = text.find(kStatic); at != std::string_view::npos;
         at = text.find(kStatic, at + 1)) {
        if (line_begin(text, at) != at) continue;
        const std::string_view rest = text.substr(at);
        const std::size_t semicolon = rest.find(";\n");
        const std::size_t brace = rest.find('{');
        std::size_t end = rest.find("\n}");
        if (semicolon < brace || (semicolon < end && rest.substr(semicolon - 1, 1) == "}")) {
            end = semicolon;  // on one line: a prototype, a number, a short table
        }
        if (end == std::string_view::npos) continue;
        end = rest.find('\n', end + 1);
        Helper helper;
        helper.name = declared_name(rest);
        helper.begin = with_comment(text, at);
        helper.end = end == std::string_view::npos ? text.size() : at + end + 1;
        if (!helper.name.empty()) helpers.push_back(helper);
    }
    return helpers;
}

/// How often helpers name themselves.
std::map<std::string, int, std::less<>> own_counts(const std::vector<std::string>& parts) {
    std::map<std::string, int, std::less<>> counts;
    for (const std::string& part : parts) {
        for (const Helper& helper : find_helpers(part)) {
            const auto words =
                word_counts(std::string_view(part).substr(helper.begin, helper.end - helper.begin));
            counts[helper.name] += words.at(helper.name);
        }
    }
    return counts;
}

void erase_helper(std::string& part, const Helper& helper) {
    std::size_t end = helper.end;
    if (end < part.size() && part[end] == '\n') ++end;  // the blank line behind it
    part.erase(helper.begin, end - helper.begin);
    while (!part.empty() && part.back() == '\n') part.pop_back();
}

/// Drops one helper that nothing else names; false when there is none.
bool drop_one(std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += part + "\n";
    const auto total = word_counts(all);
    for (const auto& [name, own] : own_counts(parts)) {
        if (total.at(name) != own) continue;
        for (std::string& part : parts) {
            for (const Helper& helper : find_helpers(part)) {
                if (helper.name != name) continue;
                erase_helper(part, helper);
                return true;
            }
        }
    }
    return false;
}

}  // namespace

std::vector<std::string> drop_unused_helpers(const std::vector<std::string>& parts) {
    std::vector<std::string> result = parts;
    while (drop_one(result)) {
    }
    std::vector<std::string> kept;
    for (std::string& part : result) {
        if (!part.empty()) kept.push_back(std::move(part));
    }
    return kept;
}

}  // namespace ingot::module
