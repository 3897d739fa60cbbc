#include "config/identifiers.h"

#include <algorithm>
#include <array>

namespace ingot::config {
namespace {

constexpr std::size_t kLongestPrefix = 48;
constexpr std::size_t kLongestName = 128;

// Keywords of C11 and C++17: a generated module is valid in both.
constexpr std::array kKeywords = {"alignas",      "alignof",  "and",           "and_eq",
                                  "asm",          "auto",     "bitand",        "bitor",
                                  "bool",         "break",    "case",          "catch",
                                  "char",         "char16_t", "char32_t",      "class",
                                  "compl",        "const",    "const_cast",    "constexpr",
                                  "continue",     "decltype", "default",       "delete",
                                  "do",           "double",   "dynamic_cast",  "else",
                                  "enum",         "explicit", "export",        "extern",
                                  "false",        "float",    "for",           "friend",
                                  "goto",         "if",       "inline",        "int",
                                  "long",         "mutable",  "namespace",     "new",
                                  "noexcept",     "not",      "not_eq",        "nullptr",
                                  "operator",     "or",       "or_eq",         "private",
                                  "protected",    "public",   "register",      "reinterpret_cast",
                                  "restrict",     "return",   "short",         "signed",
                                  "sizeof",       "static",   "static_assert", "static_cast",
                                  "struct",       "switch",   "template",      "this",
                                  "thread_local", "throw",    "true",          "try",
                                  "typedef",      "typeid",   "typename",      "union",
                                  "unsigned",     "using",    "virtual",       "void",
                                  "volatile",     "wchar_t",  "while",         "xor",
                                  "xor_eq"};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

std::string prefix_problem(std::string_view prefix) {
    if (prefix.empty()) return "it is empty";
    if (prefix.size() > kLongestPrefix) {
        return "it is longer than " + std::to_string(kLongestPrefix) + " characters";
    }
    const bool identifier = std::all_of(prefix.begin(), prefix.end(), [](char c) {
        return is_letter(c) || is_digit(c) || c == '_';
    });
    if (!identifier || is_digit(prefix.front())) return "it is no C identifier";
    if (prefix.front() == '_') return "names with a leading underscore belong to the C library";
    const bool keyword = std::any_of(kKeywords.begin(), kKeywords.end(),
                                     [prefix](const char* word) { return prefix == word; });
    return keyword ? "it is a keyword of C or C++" : "";
}

std::string module_name_problem(std::string_view name) {
    if (name.empty()) return "it is empty";
    if (name.size() > kLongestName) {
        return "it is longer than " + std::to_string(kLongestName) + " characters";
    }
    if (name.find_first_of("/\\") != std::string_view::npos) return "it has a path separator";
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
        return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '+';
    });
    if (!plain) return "it has a character other than letters, digits and _ - . +";
    if (name.front() == '.' || name.front() == '-') return "it begins with a dot or a dash";
    if (name.back() == '.') return "it ends with a dot";
    // CMake keeps these names of targets for itself; of C's own libraries there are others.
    constexpr std::array<std::string_view, 14> kReserved = {
        "all",     "ALL_BUILD", "clean",          "depend",        "edit_cache", "help",      "c",
        "install", "package",   "package_source", "rebuild_cache", "test",       "RUN_TESTS", "m"};
    std::string target(name);  // the module's library, as it is named in build files
    for (char& c : target) {
        if (!is_letter(c) && !is_digit(c)) c = '_';
    }
    if (std::find(kReserved.begin(), kReserved.end(), target) != kReserved.end()) {
        return "a build system has a target or library of that name";
    }
    return {};
}

}  // namespace ingot::config
