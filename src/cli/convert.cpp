// `ingot convert`: a model and a configuration to a module.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/explain.h"
#include "cli/module_output.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "driver/driver.h"
#include "driver/summary.h"
#include "support/files.h"

namespace ingot::cli {
namespace {

using support::ExitStatus;

struct Convert {
    ConfigFlags config;
    std::string model;
    std::string output;
    bool dry_run = false;
    std::vector<std::string> explain;
    std::string dump_after;

    void add_to(CLI::App& app) {
        app.add_option("MODEL", model, "The .tflite file; the same as --model.path");
        app.add_option("-o,--output", output, "Where the module goes; the same as --module.path")
            ->type_name("DIR");
        app.add_flag("--dry-run", dry_run, "Plan and report, write nothing");
        app.add_option("--explain", explain, "Tell where a tensor or operator is and why")
            ->type_name("ID")
            ->allow_extra_args(false);
        app.add_option("--dump-after", dump_after, "Print the graph after a transform, or 'import'")
            ->type_name("PASS");
        config.add_to(app);
    }

    driver::CompileOptions options(Session& session) const {
        driver::CompileOptions result;
        result.dump_after = dump_after;
        result.dump = [&session](const std::string& graph) { session.print(graph); };
        return result;
    }

    ExitStatus run(Session& session) {
        // The words that are not written as keys are keys all the same.
        if (!model.empty()) config.values.push_back({"model.path", model});
        if (!output.empty()) config.values.push_back({"module.path", output});
        session.result = empty_conversion();
        const config::Config loaded = config.load(session);
        const auto bytes = read_model(loaded);
        std::vector<std::uint8_t> golden;
        if (loaded.test.enabled && loaded.test.golden_data) {
            golden = support::read_file(*loaded.test.golden_data);
        }
        const ModuleTarget target = module_target(loaded);
        if (!dry_run) check_replaceable(target, loaded.force);
        const driver::Conversion conversion = driver::convert(
            loaded, bytes, model_file_name(loaded), golden, options(session), session.diagnostics);
        const driver::Compilation& compilation = conversion.compilation;
        for (const std::string& id : explain) session.print(explain_text(compilation, id));
        tell_placements(session, compilation);
        if (!dry_run) write_module(target, conversion.files);
        report(session, compilation, target);
        return ExitStatus::ok;
    }

    void report(Session& session, const driver::Compilation& compilation,
                const ModuleTarget& target) const {
        session.result = driver::summary(compilation);
        if (dry_run) {
            session.result["module"]["path"] = nullptr;
        } else {
            session.result["module"]["path"] = target.path.string();
        }
        const std::string place = dry_run ? "nothing written (dry run)" : target.path.string();
        session.print_summary(summary_text(session.result, place, session.colours_on_stdout()));
    }
};

}  // namespace

nlohmann::json empty_conversion() {
    return {{"module", nullptr}, {"arenas", nlohmann::json::array()}, {"totals", nullptr}};
}

void add_convert(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app = add_command(root, session, "convert", "Convert a model to a C module",
                                "ingot convert model.tflite -o build --path config.yaml");
    const auto convert = std::make_shared<Convert>();
    convert->add_to(*app);
    commands.push_back({app, [convert](Session& s) { return convert->run(s); }});
}

}  // namespace ingot::cli
