// `ingot verify`: builds the generated C, runs it on the host or on a core under QEMU, compares.
#include <fmt/format.h>

#include <csignal>

#include "cli/command.h"
#include "cli/verify_report.h"
#include "driver/driver.h"
#include "driver/npz.h"
#include "driver/summary.h"
#include "driver/vectors.h"
#include "support/files.h"
#include "support/suggest.h"
#include "verify/board.h"
#include "verify/toolchain.h"
#include "verify/verify.h"

namespace ingot::cli {
namespace {

using support::ExitStatus;
using support::Failure;

volatile std::sig_atomic_t interrupting_signal = 0;

extern "C" void note_signal(int signal) {
    interrupting_signal = signal;
}

// While it lives, an interruption lets us clean up first; then it takes its usual course.
class Interruption {
  public:
    Interruption() {
        for (const int signal : kSignals) {
            if (std::signal(signal, note_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
        }
    }
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    ~Interruption() {
        if (interrupting_signal == 0) return;
        std::signal(interrupting_signal, SIG_DFL);
        std::raise(interrupting_signal);
    }

  private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
};

struct Verify {
    ConfigFlags config;
    std::string model;
    std::vector<std::string> vectors;
    std::string reference;
    std::string on = verify::kHost;
    bool sanitize = false;
    std::string compiler;
    std::string cflags;
    std::vector<std::string> sources;
    std::size_t invocations = 3;
    std::uint64_t seed = 1;
    double timeout = 600;
    std::string keep;

    void add_to(CLI::App& app) {
        app.add_option("MODEL", model, "The .tflite file; the same as --model.path");
        app.add_option("--vectors", vectors,
                       "Inputs and expected outputs, input_<k> and output_<k>, as the self-test "
                       "takes them; several files are run one after another, each from a fresh "
                       "init")
            ->type_name("FILE.npz")
            ->allow_extra_args(false);
        app.add_option("--reference", reference,
                       "Where expected outputs come from: litert, LiteRT's reference kernels; "
                       "without it and without --vectors the host execution")
            ->type_name("litert");
        app.add_option("--on", on,
                       fmt::format("Where the generated C runs; cores are QEMU's: {} [host]",
                                   fmt::join(verify::places(), ", ")))
            ->type_name("PLACE");
        app.add_flag("--sanitize", sanitize, "With AddressSanitizer and UBSan, -O1, on the host");
        app.add_option("--compiler", compiler,
                       "The C compiler [$CC or cc; arm-none-eabi-gcc for a core]")
            ->type_name("COMMAND");
        app.add_option("--cflags", cflags,
                       "Further flags of the compiler, after -O2 or those of --sanitize")
            ->type_name("FLAGS");
        app.add_option("--source", sources,
                       "A C file of the application: custom operators, another hydration")
            ->type_name("FILE.c")
            ->allow_extra_args(false);
        app.add_option("--invocations", invocations, "Random inputs to try, state carried [3]")
            ->type_name("N")
            ->check(CLI::Range(std::size_t{1}, std::size_t{100000}));
        app.add_option("--seed", seed, "For the random inputs [1]")->type_name("N");
        app.add_option("--timeout", timeout, "Seconds that each program may take [600]")
            ->type_name("SECONDS")
            ->check(CLI::Range(0.1, 1000000.0));
        app.add_option("--keep", keep,
                       "Build in this new folder and leave it: module, harness, linker script, "
                       "program and map")
            ->type_name("DIR");
        config.add_to(app);
    }

    verify::Options options() const {
        verify::Options result;
        result.on = verify::place_name(on);
        result.sanitize = sanitize;
        result.compiler = verify::split(compiler);
        result.flags = verify::split(cflags);
        result.sources.assign(sources.begin(), sources.end());
        result.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(timeout * 1000.0));
        result.keep = keep;
        result.interrupted = [] { return interrupting_signal != 0; };
        if (sanitize && result.on != verify::kHost) {
            throw Failure(ExitStatus::usage, "--sanitize", "is for the host only",
                          "leave --on out");
        }
        if (!reference.empty() && reference != "litert") {
            throw Failure(ExitStatus::usage, "--reference",
                          fmt::format("unknown reference '{}'", reference),
                          "the only one is litert");
        }
        if (!reference.empty() && !vectors.empty()) {
            throw Failure(ExitStatus::usage, "--reference",
                          "expected outputs come from --vectors already", "give one of them");
        }
        return result;
    }

    // The module as convert makes it, in the packaging that compiles without a build system.
    config::Config load(Session& session, const std::string& place) const {
        config::Config loaded = config.load(session);
        loaded.module.type = config::ModuleType::cmake;
        loaded.test.enabled = false;
        loaded.documentation_html = false;
        choose_core(session, place, loaded);
        return loaded;
    }

    // A configuration that says nothing of the part gets the kernels of the core it runs on.
    static void choose_core(Session& session, const std::string& place, config::Config& loaded) {
        if (place == verify::kHost) return;
        const auto& origins = loaded.origins;
        const auto given = origins.lower_bound("platform");
        const bool named = given != origins.end() && given->first.compare(0, 8, "platform") == 0;
        if (!named) loaded.platform.cpu = place;
        const std::string planned = platforms::resolve(loaded.platform).cpu;
        if (planned != place && planned != "generic") {
            session.diagnostics.note(
                "", fmt::format("the module is made for a {} and runs on a {}", planned, place));
        }
    }

    // Neither the host execution nor LiteRT has the code of the application's own operators.
    static void check_reference(const program::Program& program) {
        for (const program::Step& step : program.steps) {
            if (!step.custom) continue;
            throw Failure(ExitStatus::usage,
                          fmt::format("operator {} (CUSTOM {})", step.op_index,
                                      ir::printable(step.custom->name)),
                          "there are no expected outputs: a custom operator can't be executed "
                          "without the application",
                          "give recorded vectors and the operator's code: --vectors FILE.npz "
                          "--source FILE.c");
        }
    }

    // What to run: files, or random inputs with the outputs of the reference.
    verify::Sequences sequences(const config::Config& loaded,
                                const driver::Compilation& compilation,
                                const verify::Options& options) const {
        std::vector<std::string> files = vectors;
        if (files.empty() && reference.empty() && loaded.test.golden_data) {
            files.push_back(loaded.test.golden_data->string());
        }
        verify::Sequences result;
        for (const std::string& file : files) {
            result.push_back(
                driver::load_golden(support::read_file(file), compilation.program, file));
        }
        if (!result.empty()) return result;
        check_reference(compilation.program);
        result.push_back(
            driver::host_vectors(compilation.program, compilation.plan, invocations, seed));
        if (!reference.empty()) {
            verify::ask_litert(loaded.model.path, compilation.program, options, result);
        }
        return result;
    }

    ExitStatus run(Session& session) {
        if (!model.empty()) config.values.push_back({"model.path", model});
        const verify::Options where = options();
        const config::Config loaded = load(session, where.on);
        const auto bytes = read_model(loaded);
        const driver::Conversion conversion =
            driver::convert(loaded, bytes, model_file_name(loaded), {}, {}, session.diagnostics);
        const Interruption interruption;
        const verify::Result result =
            verify::run(conversion, sequences(loaded, conversion.compilation, where), where,
                        session.diagnostics);
        session.result = verify_json(result);
        session.result["arenas"] = driver::summary(conversion.compilation)["arenas"];
        session.print(verify_text(result));
        if (result.equal()) return ExitStatus::ok;
        if (!result.failure.empty()) {
            session.diagnostics.error(result.on, result.failure, result.hint);
        }
        return ExitStatus::differences;
    }
};

}  // namespace

void add_verify(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app =
        add_command(root, session, "verify", "Build the C module, run it and compare its outputs",
                    "ingot verify model.tflite --on cortex-m4");
    const auto verify = std::make_shared<Verify>();
    verify->add_to(*app);
    commands.push_back({app, [verify](Session& s) { return verify->run(s); }});
}

}  // namespace ingot::cli
