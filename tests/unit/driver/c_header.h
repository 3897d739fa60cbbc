// Reads the declarations of a C header in the plain style of generated modules.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace ingot::test {

/// A field, a variable or an enumerator. Types and values are text with single blanks between
/// words and none around punctuation, as `normalized` makes them.
struct Member {
    std::string name;
    std::string type;    ///< of fields and variables
    std::string extent;  ///< between the brackets; empty for none
    std::string value;   ///< of enumerators: `7`, always given
};

struct Macro {
    std::string value;      ///< normalized; empty for none
    std::string condition;  ///< what stands behind the nearest `#ifndef`, or empty
};

struct Header {
    std::map<std::string, std::vector<Member>> enums;
    std::map<std::string, std::vector<Member>> structs;
    std::map<std::string, std::string> callbacks;  ///< name → `void(*name)(…)`
    std::map<std::string, Member> data;            ///< `extern` variables
    std::map<std::string, std::string> functions;  ///< name → prototype, normalized
    std::map<std::string, Macro> macros;           ///< `AOT_PRINTF(...)` with its parameters
};

/// The words and punctuation of C text, with blanks only between words.
std::string normalized(const std::string& text);

/// Throws std::runtime_error for what it does not understand.
Header parse_header(const std::string& text);

}  // namespace ingot::test
