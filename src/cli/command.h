// The commands: each in its own file, registered with one function.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/session.h"
#include "config/config.h"

namespace ingot::cli {

/// A command of the program, or one below `platforms` or `completion`.
struct Command {
    CLI::App* app = nullptr;
    std::function<support::ExitStatus(Session&)> run;
};

using Commands = std::vector<Command>;

/// Adds the flags that all commands take.
void add_common_flags(CLI::App& app, Session& session);

/// Makes the command with its common flags; `example` is shown by --help.
CLI::App* add_command(CLI::App& parent, Session& session, const std::string& name,
                      const std::string& description, const std::string& example);

/// The configuration as the command line gives it: `--path` and one flag a key.
struct ConfigFlags {
    std::string path;  ///< of the YAML file, or empty
    std::vector<config::FlagValue> values;

    /// Adds `--path` and a flag for every key to the command. This object must outlive it.
    void add_to(CLI::App& command);

    /// Reads the file and applies the flags; opens the log file that the configuration names.
    config::Config load(Session& session) const;
};

/// Reads the model that the configuration names. Throws Failure(usage) when it names none.
std::vector<std::uint8_t> read_model(const config::Config& config);

/// The file name without folder, for reports.
std::string model_file_name(const config::Config& config);

/// The JSON result of a conversion that came to nothing.
nlohmann::json empty_conversion();

void add_convert(CLI::App& root, Session& session, Commands& commands);
void add_inspect(CLI::App& root, Session& session, Commands& commands);
void add_run(CLI::App& root, Session& session, Commands& commands);
void add_verify(CLI::App& root, Session& session, Commands& commands);
void add_diff(CLI::App& root, Session& session, Commands& commands);
void add_report(CLI::App& root, Session& session, Commands& commands);
void add_platforms(CLI::App& root, Session& session, Commands& commands);
void add_operators(CLI::App& root, Session& session, Commands& commands);
void add_transforms(CLI::App& root, Session& session, Commands& commands);
void add_version(CLI::App& root, Session& session, Commands& commands);
void add_completion(CLI::App& root, Session& session, Commands& commands);

}  // namespace ingot::cli
