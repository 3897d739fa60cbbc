#include "cli/command.h"

#include <filesystem>

#include "support/files.h"

namespace ingot::cli {
namespace {

using support::ExitStatus;
using support::Failure;

// The flags of this name are the command's own or common to all.
bool is_common(const std::string& key) {
    return key == "verbose" || key == "log_file";
}

std::string describe(const config::KeyInfo& key) {
    return key.default_text.empty() ? key.description
                                    : key.description + " [" + key.default_text + "]";
}

}  // namespace

void add_common_flags(CLI::App& app, Session& session) {
    CommonFlags& flags = session.flags;
    const std::string group = "Common options";
    app.set_help_flag("-h,--help", "Show this help and exit")->group(group);
    app.add_flag("-q,--quiet", flags.quiet, "Errors only")->group(group);
    app.add_flag("-v,--verbose", flags.verbosity, "Tell more; may be repeated")->group(group);
    app.add_option("--log-file", flags.log_file, "Write the messages to a file as well")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--color", flags.color, "Colours: auto, always or never [auto]")
        ->type_name("WHEN")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->group(group);
    app.add_flag("--json", flags.json, "Print one JSON object on standard output")->group(group);
}

CLI::App* add_command(CLI::App& parent, Session& session, const std::string& name,
                      const std::string& description, const std::string& example) {
    CLI::App* app = parent.add_subcommand(name, description);
    app->footer("Example:\n  " + example);
    add_common_flags(*app, session);
    return app;
}

void ConfigFlags::add_to(CLI::App& command) {
    command.add_option("--path", path, "The configuration, a YAML file")->type_name("FILE");
    for (const config::KeyInfo& key : config::keys()) {
        if (is_common(key.key)) continue;
        const std::string name = key.key;
        const auto store = [this, name](const std::string& value) {
            values.push_back({name, value});
        };
        command.add_option_function<std::string>("--" + name, store, describe(key))
            ->type_name(key.value)
            ->take_last()
            ->group("Configuration");
    }
}

config::Config ConfigFlags::load(Session& session) const {
    std::string yaml;
    if (!path.empty()) {
        const auto bytes = support::read_file(path, std::uint64_t{1} << 20);
        yaml.assign(bytes.begin(), bytes.end());
    }
    config::Config config = config::load(yaml, path.empty() ? "configuration" : path, values);
    session.flags.verbosity = std::max(session.flags.verbosity, config.verbose);
    if (config.log_file) {
        std::vector<std::string> inputs = {config.model.path.string()};
        if (config.test.golden_data) inputs.push_back(config.test.golden_data->string());
        session.open_log(config.log_file->string(), inputs);
    }
    return config;
}

std::vector<std::uint8_t> read_model(const config::Config& config) {
    if (config.model.path.empty()) {
        throw Failure(ExitStatus::usage, "", "no model is given",
                      "name a .tflite file, or model.path in the configuration");
    }
    return support::read_file(config.model.path);
}

std::string model_file_name(const config::Config& config) {
    return config.model.path.filename().string();
}

}  // namespace ingot::cli
