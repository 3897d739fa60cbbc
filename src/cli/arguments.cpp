#include "cli/arguments.h"

#include <algorithm>
#include <map>

#include "support/diagnostics.h"
#include "support/suggest.h"
#include "support/utf8.h"

namespace ingot::cli {
namespace {

using support::ExitStatus;
using support::Failure;

std::string plain(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

bool is_boolean(const CLI::Option& option) {
    return option.get_type_name() == "BOOL";
}

bool takes_value(const CLI::Option& option) {
    return option.get_items_expected_min() > 0;
}

class Normaliser {
  public:
    explicit Normaliser(const CLI::App& root) : app_(&root) {}

    std::vector<std::string> run(const std::vector<std::string>& words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string& word = words[i];
            if (word == "--") {
                result_.insert(result_.end(), words.begin() + static_cast<std::ptrdiff_t>(i),
                               words.end());
                break;
            }
            bool value_follows = false;
            if (word.compare(0, 2, "--") == 0) {
                value_follows = long_flag(word);
            } else if (word.size() > 1 && word.front() == '-') {
                value_follows = short_flags(word);
            } else {
                positional(word);
            }
            if (value_follows && i + 1 < words.size()) result_.push_back(words[++i]);
        }
        return result_;
    }

  private:
    // The name without dashes → the option, for the command that is being read.
    std::map<std::string, const CLI::Option*> long_names() const {
        std::map<std::string, const CLI::Option*> names;
        for (const CLI::Option* option : app_->get_options()) {
            for (const std::string& name : option->get_lnames()) names[name] = option;
        }
        return names;
    }

    // Whether the next word is the flag's value.
    bool long_flag(const std::string& word) {
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string given = word.substr(2, equals - 2);
        const std::string value = word.substr(equals);
        const auto names = long_names();
        auto found = find(names, given);
        if (found != names.end()) {
            if (value == "=") {
                throw Failure(ExitStatus::usage, "--" + found->first, "the value is empty");
            }
            const bool bare = value.empty();
            const bool boolean = is_boolean(*found->second);
            result_.push_back("--" + found->first + (bare && boolean ? "=true" : value));
            return bare && !boolean && takes_value(*found->second);
        }
        if (given.compare(0, 3, "no-") == 0 || given.compare(0, 3, "no_") == 0) {
            found = find(names, given.substr(3));
            if (found != names.end() && is_boolean(*found->second) && value.empty()) {
                result_.push_back("--" + found->first + "=false");
                return false;
            }
        }
        std::vector<std::string> known;
        for (const auto& entry : names) known.push_back("--" + entry.first);
        unknown("unknown flag '" + support::printable(word.substr(0, equals), 60) + "'",
                support::did_you_mean("--" + plain(given), known));
    }

    static std::map<std::string, const CLI::Option*>::const_iterator find(
        const std::map<std::string, const CLI::Option*>& names, const std::string& given) {
        return std::find_if(names.begin(), names.end(),
                            [&](const auto& entry) { return plain(entry.first) == plain(given); });
    }

    // `-o DIR`, `-oDIR`, `-vv`.
    bool short_flags(const std::string& word) {
        for (std::size_t at = 1; at < word.size(); ++at) {
            const CLI::Option* option = nullptr;
            for (const CLI::Option* candidate : app_->get_options()) {
                const auto& names = candidate->get_snames();
                const std::string letter(1, word[at]);
                if (std::find(names.begin(), names.end(), letter) != names.end()) {
                    option = candidate;
                }
            }
            if (option == nullptr) {
                unknown("unknown flag '-" + support::printable(word.substr(at, 1), 1) + "'", "");
            }
            if (takes_value(*option)) {
                result_.push_back(word);
                return at + 1 == word.size();
            }
        }
        result_.push_back(word);
        return false;
    }

    void positional(const std::string& word) {
        result_.push_back(word);
        const auto commands = app_->get_subcommands([](const CLI::App*) { return true; });
        if (commands.empty()) return;
        std::vector<std::string> names;
        for (const CLI::App* command : commands) {
            names.push_back(command->get_name());
            if (command->get_name() == word) {
                app_ = command;
                return;
            }
        }
        unknown("unknown command '" + support::printable(word, 60) + "'",
                support::did_you_mean(word, names));
    }

    [[noreturn]] void unknown(const std::string& message, std::string hint) const {
        std::string command = "ingot";
        if (app_->get_parent() != nullptr) command += " " + app_->get_name();
        if (hint.empty()) hint = "see '" + command + " --help'";
        throw Failure(ExitStatus::usage, "", message, hint);
    }

    const CLI::App* app_;
    std::vector<std::string> result_;
};

}  // namespace

std::vector<std::string> normalise(const CLI::App& root, const std::vector<std::string>& words) {
    return Normaliser(root).run(words);
}

}  // namespace ingot::cli
