#include "unit/driver/c_header.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

namespace ingot::test {
namespace {

using Words = std::vector<std::string>;

bool in_word(char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

Words words_of(const std::string& text) {
    Words words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        if (text[at] == '"') {
            end = text.find('"', at + 1) + 1;
        } else {
            while (end < text.size() && in_word(text[end])) ++end;
            if (end == at) ++end;
        }
        if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
            words.push_back(text.substr(at, end - at));
        }
        at = end;
    }
    return words;
}

std::string joined(Words::const_iterator begin, Words::const_iterator end) {
    std::string text;
    for (auto word = begin; word != end; ++word) {
        if (!text.empty() && in_word(text.back()) && in_word(word->front())) text += ' ';
        text += *word;
    }
    return text;
}

std::string joined(const Words& words) {
    return joined(words.begin(), words.end());
}

std::string without_comments(std::string text) {
    for (std::size_t at = text.find("/*"); at != std::string::npos; at = text.find("/*", at)) {
        text.replace(at, text.find("*/", at) + 2 - at, " ");
    }
    return text;
}

Words::const_iterator find(const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word);
}

/// `TYPE name` or `TYPE name[extent]`.
Member variable(const Words& words) {
    Member member;
    const auto bracket = find(words, "[");
    if (bracket != words.end()) member.extent = joined(bracket + 1, words.end() - 1);
    member.name = *(bracket - 1);
    member.type = joined(words.begin(), bracket - 1);
    return member;
}

class Parser {
  public:
    Header parse(const std::string& text) {
        std::istringstream lines(without_comments(text));
        std::string code;
        for (std::string line; std::getline(lines, line);) {
            const Words words = words_of(line);
            if (!words.empty() && words[0] == "#") {
                directive(line, words);
            } else if (skipped_ == 0) {
                code += line + "\n";
            }
        }
        declarations(words_of(code));
        return header_;
    }

  private:
    void directive(const std::string& line, const Words& words) {
        const std::string& kind = words.at(1);
        if (kind == "ifndef" || kind == "ifdef" || kind == "if") {
            conditions_.push_back(kind == "ifndef" ? words.at(2) : "");
            if (skipped_ > 0 || joined(words) == "#ifdef __cplusplus") ++skipped_;
        } else if (kind == "endif") {
            conditions_.pop_back();
            if (skipped_ > 0) --skipped_;
        } else if (kind == "define") {
            std::size_t name = line.find(words.at(2));
            std::size_t end = name + words[2].size();
            if (end < line.size() && line[end] == '(') end = line.find(')', end) + 1;
            Macro macro;
            macro.value = normalized(line.substr(end));
            if (!conditions_.empty()) macro.condition = conditions_.back();
            header_.macros[line.substr(name, end - name)] = macro;
        }
    }

    void declarations(const Words& words) {
        Words declaration;
        int depth = 0;
        for (const std::string& word : words) {
            if (word == "{") ++depth;
            if (word == "}") --depth;
            if (word == ";" && depth == 0) {
                declare(declaration);
                declaration.clear();
            } else {
                declaration.push_back(word);
            }
        }
        if (!declaration.empty()) throw std::runtime_error("rest: " + joined(declaration));
    }

    void declare(const Words& words) {
        if (words[0] == "extern") {
            const Member member = variable({words.begin() + 1, words.end()});
            header_.data[member.name] = member;
        } else if (words[0] != "typedef") {
            header_.functions[*(find(words, "(") - 1)] = joined(words);
        } else if (words[1] == "enum") {
            header_.enums[words.back()] = enumerators({words.begin() + 3, words.end() - 2});
        } else if (words[1] == "struct") {
            header_.structs[words.back()] = fields({words.begin() + 3, words.end() - 2});
        } else if (find(words, "(") != words.end()) {
            header_.callbacks[*(find(words, "(") + 2)] = joined(words.begin() + 1, words.end());
        }
    }

    static std::vector<Member> enumerators(const Words& words) {
        std::vector<Member> members;
        long value = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i] == ",") continue;
            Member member;
            member.name = words[i];
            if (i + 2 < words.size() && words[i + 1] == "=") {
                value = std::stol(words[i + 2]);
                i += 2;
            }
            member.value = std::to_string(value++);
            members.push_back(member);
        }
        return members;
    }

    static std::vector<Member> fields(const Words& words) {
        std::vector<Member> members;
        Words field;
        for (const std::string& word : words) {
            if (word == ";") {
                members.push_back(variable(field));
                field.clear();
            } else {
                field.push_back(word);
            }
        }
        return members;
    }

    Header header_;
    std::vector<std::string> conditions_;
    int skipped_ = 0;  // how many conditions deep within `#ifdef __cplusplus`
};

}  // namespace

std::string normalized(const std::string& text) {
    return joined(words_of(text));
}

Header parse_header(const std::string& text) {
    return Parser().parse(text);
}

}  // namespace ingot::test
