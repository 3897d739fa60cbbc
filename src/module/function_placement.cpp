#include "module/function_placement.h"

#include <set>
#include <string_view>

#include "module/helpers.h"

namespace ingot::module {
namespace {

/// A function's definition in one of the parts.
struct Definition {
    std::string name;
    std::size_t begin = 0;  ///< of its first line, without the comment above it
    std::string_view body;
};

bool begins_declaration(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The beginning of the declaration whose last line ends at `end`: later lines are indented.
std::size_t declaration_begin(std::string_view text, std::size_t end) {
    std::size_t begin = end;
    do {
        const std::size_t newline =
            begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
        begin = newline == std::string_view::npos ? 0 : newline + 1;
        if (begins_declaration(text[begin]) || begin == 0) return begin;
        --begin;
    } while (true);
}

std::vector<Definition> find_functions(std::string_view text) {
    std::vector<Definition> result;
    for (std::size_t brace = text.find("\n{\n"); brace != std::string_view::npos;
         brace = text.find("\n{\n", brace + 1)) {
        Definition definition;
        definition.begin = declaration_begin(text, brace);
        definition.name = declared_name(text.substr(definition.begin, brace - definition.begin));
        definition.body = text.substr(brace, text.find("\n}", brace + 1) - brace);
        if (!definition.name.empty()) result.push_back(std::move(definition));
    }
    return result;
}

/// Functions that each function calls, both defined in the parts.
std::map<std::string, std::set<std::string>> call_graph(const std::vector<std::string>& parts) {
    std::map<std::string, std::set<std::string>> graph;
    for (const std::string& part : parts) {
        for (const Definition& definition : find_functions(part)) graph[definition.name];
    }
    for (const std::string& part : parts) {
        for (const Definition& definition : find_functions(part)) {
            for (const auto& word : word_counts(definition.body)) {
                if (graph.count(word.first) != 0) graph[definition.name].insert(word.first);
            }
        }
    }
    return graph;
}

void place_callees(const std::string& caller, const std::string& macro,
                   const std::map<std::string, std::set<std::string>>& graph,
                   std::map<std::string, std::string>& placed) {
    const auto found = graph.find(caller);
    if (found == graph.end()) return;
    for (const std::string& callee : found->second) {
        // A function that has its place already has placed what it calls.
        if (placed.emplace(callee, macro).second) place_callees(callee, macro, graph, placed);
    }
}

}  // namespace

void place_functions(std::vector<std::string>& parts,
                     const std::map<std::string, std::string>& macros) {
    if (macros.empty()) return;
    const auto graph = call_graph(parts);
    std::map<std::string, std::string> placed = macros;
    for (const auto& [name, macro] : macros) place_callees(name, macro, graph, placed);
    for (std::string& part : parts) {
        const std::vector<Definition> definitions = find_functions(part);
        std::string result = part;
        // From the end, so that the places of those before stay what they are.
        for (auto at = definitions.rbegin(); at != definitions.rend(); ++at) {
            const auto macro = placed.find(at->name);
            if (macro != placed.end()) result.insert(at->begin, macro->second + "\n");
        }
        part = std::move(result);
    }
}

}  // namespace ingot::module
