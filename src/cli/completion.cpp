// `ingot completion SHELL`: completion scripts and the man page, made from the commands.
#include <fmt/format.h>

#include "cli/command.h"
#include "driver/driver.h"

namespace ingot::cli {
namespace {

using support::ExitStatus;

struct Flag {
    std::string name;
    std::string value;
    std::string description;
};

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

// The long flags; a boolean has its negation too.
std::vector<Flag> flags_of(const CLI::App& app) {
    std::vector<Flag> flags;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            const bool takes_value = option->get_items_expected_min() > 0;
            const std::string value = takes_value ? option->get_type_name() : "";
            flags.push_back({"--" + name, value, option->get_description()});
            if (value == "BOOL") flags.push_back({"--no-" + name, "", "not: --" + name});
        }
    }
    return flags;
}

std::string words_of(const CLI::App& app) {
    std::string words;
    for (const CLI::App* command : commands_of(app)) words += command->get_name() + " ";
    for (const Flag& flag : flags_of(app)) words += flag.name + " ";
    words.pop_back();
    return words;
}

std::string bash(const CLI::App& root) {
    std::string cases;
    for (const CLI::App* command : commands_of(root)) {
        cases +=
            fmt::format("        {}) words=\"{}\" ;;\n", command->get_name(), words_of(*command));
    }
    return fmt::format(
        "_ingot() {{\n"
        "    local words current=\"${{COMP_WORDS[COMP_CWORD]}}\"\n"
        "    case \"${{COMP_WORDS[1]}}\" in\n{}"
        "        *) words=\"{}\" ;;\n"
        "    esac\n"
        "    [[ $COMP_CWORD -eq 1 ]] && words=\"{}\"\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "    [[ \"$current\" == -* || $COMP_CWORD -eq 1 ]] || COMPREPLY+=($(compgen -f -- "
        "\"$current\"))\n"
        "}}\n"
        "complete -o filenames -F _ingot ingot\n",
        cases, words_of(root), words_of(root));
}

std::string zsh(const CLI::App& root) {
    std::string cases;
    for (const CLI::App* command : commands_of(root)) {
        cases +=
            fmt::format("        {}) words=({}) ;;\n", command->get_name(), words_of(*command));
    }
    return fmt::format(
        "#compdef ingot\n"
        "_ingot() {{\n"
        "    local -a words\n"
        "    if (( CURRENT == 2 )); then\n"
        "        compadd -- {}\n"
        "        return\n"
        "    fi\n"
        "    case \"${{words[2]}}\" in\n{}"
        "    esac\n"
        "    compadd -- $words\n"
        "    _files\n"
        "}}\n"
        "compdef _ingot ingot\n",
        words_of(root), cases);
}

std::string fish_quoted(std::string text) {
    for (std::size_t at = 0; (at = text.find_first_of("'\\", at)) != std::string::npos; at += 2) {
        text.insert(at, "\\");
    }
    return "'" + text + "'";
}

std::string fish(const CLI::App& root) {
    std::string text;
    for (const CLI::App* command : commands_of(root)) {
        const std::string seen = "__fish_seen_subcommand_from " + command->get_name();
        text += fmt::format("complete -c ingot -n __fish_use_subcommand -f -a {} -d {}\n",
                            command->get_name(), fish_quoted(command->get_description()));
        for (const CLI::App* below : commands_of(*command)) {
            text += fmt::format("complete -c ingot -n '{}' -f -a {} -d {}\n", seen,
                                below->get_name(), fish_quoted(below->get_description()));
        }
        for (const Flag& flag : flags_of(*command)) {
            text += fmt::format("complete -c ingot -n '{}' -l {} {}-d {}\n", seen,
                                fish_quoted(flag.name.substr(2)), flag.value.empty() ? "" : "-r ",
                                fish_quoted(flag.description));
        }
    }
    return text;
}

std::string roff(std::string text) {
    for (std::size_t at = 0; (at = text.find_first_of("\\-", at)) != std::string::npos; at += 2) {
        text.insert(at, "\\");
    }
    return text.empty() || (text[0] != '.' && text[0] != '\'') ? text : "\\&" + text;
}

std::string man(const CLI::App& root) {
    std::string text = fmt::format(
        ".TH INGOT 1 \"\" \"ingot {}\"\n.SH NAME\ningot \\- {}\n.SH SYNOPSIS\n.B ingot\n"
        ".I command\n[\\fIoption\\fR ...]\n.SH COMMANDS\n",
        driver::kVersion, roff(root.get_description()));
    for (const CLI::App* command : commands_of(root)) {
        text += fmt::format(".SS {}\n{}.\n", command->get_name(), roff(command->get_description()));
        for (const CLI::App* below : commands_of(*command)) {
            text +=
                fmt::format(".TP\n.B {}\n{}\n", below->get_name(), roff(below->get_description()));
        }
        for (const CLI::Option* option : command->get_options()) {
            if (option->get_group() == "Configuration" && command->get_name() != "convert")
                continue;
            const bool takes_value = option->get_items_expected_min() > 0;
            text += fmt::format(".TP\n.B {}{}\n{}\n", roff(option->get_name(false, true)),
                                takes_value ? " " + roff(option->get_type_name()) : "",
                                roff(option->get_description()));
        }
    }
    return text +
           ".SH EXIT STATUS\n0 done; 1 differences; 2 wrong command line or configuration; 3 wrong "
           "or unsupported model; 4 does not fit the memories; 5 a file cannot be read or written, "
           "or exists; 6 a tool is missing; 70 a fault in ingot.\n";
}

}  // namespace

void add_completion(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app = add_command(root, session, "completion",
                                "Print the completion script of a shell, or the man page",
                                "ingot completion bash > /etc/bash_completion.d/ingot");
    const auto shell = std::make_shared<std::string>();
    app->add_option("SHELL", *shell, "bash, zsh, fish or man")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish", "man"}));
    commands.push_back({app, [shell, &root](Session& s) {
                            auto* print = *shell == "bash"   ? bash
                                          : *shell == "zsh"  ? zsh
                                          : *shell == "fish" ? fish
                                                             : man;
                            s.print(print(root));
                            s.result["script"] = print(root);
                            return ExitStatus::ok;
                        }});
}

}  // namespace ingot::cli
