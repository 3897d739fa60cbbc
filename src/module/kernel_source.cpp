#include "module/kernel_source.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "module/function_placement.h"
#include "module/helpers.h"
#include "module/text.h"
#include "support/embedded.h"

namespace ingot::module {
namespace {

constexpr std::string_view kPlatformHeader = "support/platform.h";

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// One file of kernels/: what it includes, and the rest of its text.
struct SourceFile {
    std::vector<std::string> local;  ///< `support/clamp.h`
    std::set<std::string> system;    ///< `<string.h>`
    std::string text;                ///< without blank lines at both ends
};

class Reader {
  public:
    explicit Reader(std::string_view path) : lines_(lines_of(support::embedded_file(path))) {
        if (!lines_.empty() && lines_[0].find("SPDX-License-Identifier") != std::string::npos) {
            lines_.erase(lines_.begin());
        }
        drop_guard();
        drop_linkage();
    }

    SourceFile read() {
        SourceFile result;
        int depth = 0;
        for (const std::string& line : lines_) {
            if (starts_with(line, "#if")) ++depth;
            if (starts_with(line, "#endif")) --depth;
            if (starts_with(line, "#include \"")) {
                result.local.push_back(line.substr(10, line.find('"', 10) - 10));
            } else if (starts_with(line, "#include <") && depth == 0) {
                result.system.insert(line.substr(9, line.find('>') - 8));
            } else if (!line.empty()) {
                result.text += line + "\n";
            } else if (!result.text.empty() && !ends_with_blank_line(result.text)) {
                result.text += "\n";
            }
        }
        while (!result.text.empty() && result.text.back() == '\n') result.text.pop_back();
        return result;
    }

  private:
    static bool ends_with_blank_line(const std::string& text) {
        return text.size() > 1 && text[text.size() - 2] == '\n';
    }

    /// `#ifndef X`, `#define X` and the last `#endif`.
    void drop_guard() {
        for (std::size_t i = 0; i + 1 < lines_.size(); ++i) {
            if (!starts_with(lines_[i], "#if")) continue;
            if (!starts_with(lines_[i], "#ifndef ")) return;
            if (lines_[i + 1] != "#define " + lines_[i].substr(8)) return;
            const auto last = std::find_if(lines_.rbegin(), lines_.rend(), [](const auto& line) {
                return starts_with(line, "#endif");
            });
            lines_.erase(std::next(last).base());
            lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(i),
                         lines_.begin() + static_cast<std::ptrdiff_t>(i) + 2);
            return;
        }
    }

    /// The brackets of `extern "C"` for C++: the files that are made have their own.
    void drop_linkage() {
        for (std::size_t i = 0; i + 2 < lines_.size();) {
            const bool linkage = lines_[i] == "#ifdef __cplusplus" &&
                                 (lines_[i + 1] == "extern \"C\" {" || lines_[i + 1] == "}") &&
                                 starts_with(lines_[i + 2], "#endif");
            if (!linkage) {
                ++i;
                continue;
            }
            const auto at = lines_.begin() + static_cast<std::ptrdiff_t>(i);
            lines_.erase(at, at + 3);
        }
    }

    std::vector<std::string> lines_;
};

/// Collects files after those that they include, each once.
class Collector {
  public:
    void kernel(const std::string& name) {
        if (!kernels_.insert(name).second) return;
        take(Reader("kernels/" + name + ".h").read(), true);
        sources_.push_back(Reader("kernels/" + name + ".c").read());
        for (const std::string& include : SourceFile(sources_.back()).local) {
            if (!starts_with(include, "support/")) kernel(kernel_name(include));
        }
    }

    /// The .c files come after all headers, so that what headers need is in the header.
    void finish() {
        for (const SourceFile& source : sources_) take(source, false);
        result_.source_parts = drop_unused_helpers(result_.source_parts);
    }

    KernelSources result() {
        const auto has_math = [](const std::set<std::string>& set) {
            return set.count("<math.h>") != 0;
        };
        result_.uses_math = has_math(header_system_) || has_math(source_system_);
        result_.header_includes.assign(header_system_.begin(), header_system_.end());
        result_.source_includes.assign(source_system_.begin(), source_system_.end());
        return result_;
    }

  private:
    static std::string kernel_name(const std::string& include) {
        return include.substr(0, include.rfind('.'));
    }

    void take(const SourceFile& file, bool to_header) {
        for (const std::string& include : file.local) {
            if (include == kPlatformHeader || !seen_.insert(include).second) continue;
            if (starts_with(include, "support/")) {
                take(Reader("kernels/" + include).read(), to_header);
            } else {
                kernel(kernel_name(include));
            }
        }
        (to_header ? header_system_ : source_system_)
            .insert(file.system.begin(), file.system.end());
        if (file.text.empty()) return;
        (to_header ? result_.header_parts : result_.source_parts).push_back(file.text);
    }

    std::set<std::string> kernels_;
    std::set<std::string> seen_;
    std::vector<SourceFile> sources_;
    std::set<std::string> header_system_;
    std::set<std::string> source_system_;
    KernelSources result_;
};

void replace_all(std::string& text, std::string_view from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

/// Renames line by line. Lines that continue a list in parentheses stay aligned with its first.
class Renamer {
  public:
    explicit Renamer(const std::string& prefix) : lower_(prefix + "_"), upper_(upper(lower_)) {}

    std::string text(const std::string& original) {
        std::string result;
        open_.clear();
        for (const std::string& line : lines_of(original)) {
            result += (result.empty() ? "" : "\n") + this->line(line);
        }
        return result;
    }

  private:
    /// Columns of an open parenthesis before and after renaming.
    struct Open {
        std::size_t before = 0;
        std::size_t after = 0;
    };

    std::string renamed(std::string text) const {
        replace_all(text, "ingot_", lower_);
        replace_all(text, "INGOT_", upper_);
        return text;
    }

    std::string line(const std::string& original) {
        const std::size_t indent = std::min(original.find_first_not_of(' '), original.size());
        std::string result = renamed(original);
        std::size_t moved = indent;  // the indentation of the result
        if (!open_.empty() && indent == open_.back().before + 1) {
            moved = open_.back().after + 1;
            result.replace(0, indent, std::string(moved, ' '));
        }
        for (std::size_t i = indent; i < original.size(); ++i) {
            if (original[i] == ')' && !open_.empty()) open_.pop_back();
            if (original[i] != '(') continue;
            const std::size_t after = moved + renamed(original.substr(indent, i - indent)).size();
            open_.push_back({i, after});
        }
        return result;
    }

    std::string lower_;
    std::string upper_;
    std::vector<Open> open_;
};

}  // namespace

KernelSources kernel_sources(const std::set<std::string>& names, const std::string& prefix,
                             const std::map<std::string, std::string>& memories) {
    Collector collector;
    for (const std::string& name : names) collector.kernel(name);
    collector.finish();
    KernelSources result = collector.result();
    std::map<std::string, std::string> macros;
    for (const auto& [kernel, memory] : memories) {
        macros["ingot_kernel_" + kernel] = "INGOT_PUT_CODE_IN_" + upper(memory);
    }
    place_functions(result.source_parts, macros);
    Renamer renamer(prefix);
    for (std::string& part : result.header_parts) part = renamer.text(part);
    for (std::string& part : result.source_parts) part = renamer.text(part);
    return result;
}

}  // namespace ingot::module
