// The command line: parses, calls one command, turns what it throws into messages and a status.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/session.h"

namespace ingot::cli {
namespace {

using support::ExitStatus;
using support::Failure;

constexpr std::size_t kHelpColumn = 44;

void add_commands(CLI::App& root, Session& session, Commands& commands) {
    add_common_flags(root, session);
    root.add_flag_callback(
        "--version", [] {}, "Show the version and exit");
    root.footer(
        "Example:\n  ingot convert model.tflite -o build\n\n"
        "'ingot COMMAND --help' tells about a command.");
    add_convert(root, session, commands);
    add_inspect(root, session, commands);
    add_run(root, session, commands);
    add_verify(root, session, commands);
    add_diff(root, session, commands);
    add_report(root, session, commands);
    add_platforms(root, session, commands);
    add_operators(root, session, commands);
    add_transforms(root, session, commands);
    add_version(root, session, commands);
    add_completion(root, session, commands);
}

// The innermost command that was given.
const CLI::App* given_command(const CLI::App& root) {
    const CLI::App* app = &root;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return app;
}

void parse(CLI::App& root, const std::vector<std::string>& words) {
    std::vector<std::string> normal = normalise(root, words);
    std::reverse(normal.begin(), normal.end());  // CLI11 takes them last first
    try {
        root.parse(normal);
    } catch (const CLI::CallForHelp&) {
        throw;
    } catch (const CLI::ParseError& error) {
        const CLI::App* app = given_command(root);
        std::string command = "ingot";
        if (app != &root) command += " " + app->get_name();
        throw Failure(ExitStatus::usage, "", error.what(), "see '" + command + " --help'");
    }
}

ExitStatus dispatch(const CLI::App& root, const Commands& commands, Session& session) {
    const CLI::App* app = given_command(root);
    const std::string version = "version";
    for (const Command& command : commands) {
        const bool asked = command.app == app || (app == &root && root.count("--version") > 0 &&
                                                  command.app->get_name() == version);
        if (asked && command.run) {
            session.open_log(session.flags.log_file);
            return command.run(session);
        }
    }
    std::vector<std::string> names;
    for (const CLI::App* below : app->get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(below->get_name());
    }
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    throw Failure(ExitStatus::usage, "", "no command is given", "the commands are " + list);
}

// Runs the command; every failure becomes messages and a status.
ExitStatus run_command(CLI::App& root, const Commands& commands, Session& session,
                       const std::vector<std::string>& words) {
    try {
        parse(root, words);
        return dispatch(root, commands, session);
    } catch (const CLI::CallForHelp&) {
        session.flags.json = false;
        std::cout << given_command(root)->help();
        return ExitStatus::ok;
    } catch (const Failure& failure) {
        for (const auto& diagnostic : failure.diagnostics()) session.diagnostics.add(diagnostic);
        return failure.status();
    } catch (const std::bad_alloc&) {
        session.diagnostics.error("", "there is not enough memory on this machine");
    } catch (const std::exception& fault) {
        session.diagnostics.error("", std::string("a fault in Ingot: ") + fault.what(),
                                  "please report it with the model and the command line");
    }
    return ExitStatus::internal;
}

int run(const std::vector<std::string>& words) {
    // A full disk and a closed pipe are errors of a write, not the end of the program.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    Session session;
    session.words = words;
    // Also a command line that cannot be parsed is answered in JSON when that is wanted.
    const auto end = std::find(words.begin(), words.end(), "--");
    session.flags.json = std::find(words.begin(), end, "--json") != end;
    if (std::find(words.begin(), end, "convert") != end) session.result = empty_conversion();
    CLI::App root("Ahead-of-time compiler from TensorFlow Lite models to C for microcontrollers",
                  "ingot");
    root.get_formatter()->column_width(kHelpColumn);
    Commands commands;
    add_commands(root, session, commands);
    return session.finish(run_command(root, commands, session, words));
}

}  // namespace
}  // namespace ingot::cli

int main(int argc, char** argv) {
    try {
        return ingot::cli::run(std::vector<std::string>(argv + 1, argv + argc));
    } catch (...) {  // not even a message can be made
        return static_cast<int>(ingot::support::ExitStatus::internal);
    }
}
