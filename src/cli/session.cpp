#include "cli/session.h"

#include <filesystem>

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <system_error>

#include "support/utf8.h"

namespace ingot::cli {
namespace {

using support::Diagnostic;
using support::ExitStatus;
using support::Severity;

constexpr int kResultSchema = 1;
constexpr std::size_t kLongestMessage = 20000;  // code points

bool wants_colours(const std::string& choice, int descriptor) {
    if (choice == "always") return true;
    if (choice == "never") return false;
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return (no_color == nullptr || *no_color == '\0') && isatty(descriptor) == 1 &&
           (term == nullptr || std::string(term) != "dumb");
}

const char* colour(Severity severity) {
    switch (severity) {
        case Severity::note:
            return "\x1b[1;36m";
        case Severity::warning:
            return "\x1b[1;33m";
        case Severity::error:
            return "\x1b[1;31m";
    }
    return "";
}

// Names from models and files come through messages: a line must not disturb a terminal.
std::string safe_lines(const std::string& text) {
    std::string result;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (at > 0) result += '\n';
        result += support::printable(std::string_view(text).substr(at, end - at), kLongestMessage);
        at = end + 1;
    }
    return result;
}

nlohmann::json to_json(const Diagnostic& diagnostic) {
    return {{"severity", std::string(support::name(diagnostic.severity))},
            {"where", diagnostic.where},
            {"message", diagnostic.message},
            {"hint", diagnostic.hint}};
}

}  // namespace

std::string to_text(const nlohmann::json& json) {
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

bool Session::colours_on_stdout() const {
    return wants_colours(flags.color, STDOUT_FILENO);
}
bool Session::colours_on_stderr() const {
    return wants_colours(flags.color, STDERR_FILENO);
}

namespace {

// What the words name for something else than the log: each word, and what follows its `=`.
std::vector<std::string> named_files(const std::vector<std::string>& words) {
    const auto is_log_flag = [](const std::string& word) {
        return word.compare(0, 10, "--log-file") == 0 || word.compare(0, 10, "--log_file") == 0;
    };
    std::vector<std::string> names;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (is_log_flag(words[i]) || (i > 0 && is_log_flag(words[i - 1]))) continue;
        names.push_back(words[i]);
        const std::size_t equals = words[i].find('=');
        if (equals != std::string::npos) names.push_back(words[i].substr(equals + 1));
    }
    return names;
}

}  // namespace

void Session::open_log(const std::string& path, const std::vector<std::string>& also) {
    if (path.empty() || log_.is_open()) return;
    std::vector<std::string> others = named_files(words);
    others.insert(others.end(), also.begin(), also.end());
    for (const std::string& other : others) {
        std::error_code ignored;
        if (std::filesystem::equivalent(path, other, ignored)) {
            throw support::Failure(ExitStatus::usage, path, "the log would overwrite this file",
                                   "name another log file");
        }
    }
    log_.open(path, std::ios::binary | std::ios::trunc);
    if (!log_) {
        throw support::Failure(ExitStatus::io, path,
                               "cannot write: " + std::generic_category().message(errno));
    }
    write_log(early_log_);
}

void Session::write_log(const std::string& text) {
    if (!log_.is_open()) {
        early_log_ += text;
        return;
    }
    log_ << text << std::flush;
}

void Session::tell(int level, const std::string& line) {
    const std::string text = safe_lines(line) + "\n";
    write_log(text);
    if (!flags.quiet && flags.verbosity >= level) std::cerr << text;
}

void Session::print(const std::string& text) {
    if (!flags.json) std::cout << text;
}

void Session::print_summary(const std::string& text) {
    if (!flags.quiet) print(text);
}

void Session::show(const Diagnostic& diagnostic) {
    const std::string text = safe_lines(support::to_text(diagnostic)) + "\n";
    write_log(text);
    if (flags.quiet && diagnostic.severity != Severity::error) return;
    if (!colours_on_stderr()) {
        std::cerr << text;
        return;
    }
    const std::size_t label = support::name(diagnostic.severity).size();
    std::cerr << colour(diagnostic.severity) << text.substr(0, label) << "\x1b[0m"
              << text.substr(label);
}

void Session::print_result(ExitStatus status) {
    nlohmann::json object = result;
    object["schema_version"] = kResultSchema;
    object["status"] = static_cast<int>(status);
    object["diagnostics"] = nlohmann::json::array();
    for (const Diagnostic& diagnostic : diagnostics.list()) {
        object["diagnostics"].push_back(to_json(diagnostic));
    }
    std::cout << to_text(object);
}

int Session::finish(ExitStatus status) {
    std::cout << std::flush;
    for (const Diagnostic& diagnostic : diagnostics.list()) show(diagnostic);
    if (flags.json) print_result(status);
    std::cout << std::flush;
    const bool log_failed = log_.is_open() && !log_;
    if (std::cout && !log_failed) return static_cast<int>(status);
    show({Severity::error, log_failed ? flags.log_file : "standard output", "cannot write", ""});
    return static_cast<int>(status == ExitStatus::ok ? ExitStatus::io : status);
}

}  // namespace ingot::cli
