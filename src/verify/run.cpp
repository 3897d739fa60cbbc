// The walk of verify: files, build, run, compare.
#include <fmt/format.h>

#include <fstream>

#include "support/embedded.h"
#include "support/files.h"
#include "verify/board.h"
#include "verify/count.h"
#include "verify/harness.h"
#include "verify/toolchain.h"
#include "verify/verify.h"

namespace ingot::verify {
namespace {

namespace fs = std::filesystem;
using support::ExitStatus;
using support::Failure;
using support::ProcessEnd;
using support::ProcessResult;

void write(const fs::path& path, std::string_view bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream stream(path, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) throw Failure(ExitStatus::io, path.string(), "cannot write");
}

// A new folder that stays, or a temporary one.
class BuildFolder {
  public:
    explicit BuildFolder(const fs::path& keep) {
        if (keep.empty()) {
            temporary_.emplace("ingot-verify");
            return;
        }
        std::error_code error;
        // Without the slash that may end it.
        path_ = fs::absolute(keep.has_filename() ? keep : keep.parent_path());
        fs::create_directories(path_.parent_path(), error);
        if (!fs::create_directory(path_, error)) {
            throw Failure(ExitStatus::io, keep.string(),
                          error ? "cannot create folder: " + error.message() : "exists already",
                          "name a new folder");
        }
    }
    const fs::path& path() const { return temporary_ ? temporary_->path() : path_; }

  private:
    std::optional<support::TemporaryFolder> temporary_;
    fs::path path_;
};

// What is compiled beside the application's files, in the order of compilation; paths below
// `folder`.
std::vector<std::string> write_sources(const driver::Conversion& conversion, const Options& options,
                                       const fs::path& folder) {
    std::vector<std::string> sources = {"target_harness.c"};
    for (const auto& [name, bytes] : conversion.files) {
        const fs::path path = fs::path("module") / name;
        write(folder / path, bytes);
        if (path.extension() == ".c") sources.push_back(path.string());
    }
    write(folder / "target.h", support::embedded_file("targets/target.h"));
    write(folder / "target_harness.c", harness_source(conversion));
    if (options.on == kHost) {
        write(folder / "target_host.c", support::embedded_file("targets/host.c"));
        sources.emplace_back("target_host.c");
    } else {
        write(folder / "target_startup.c", support::embedded_file("targets/startup.c"));
        write(folder / "link.ld", linker_script(conversion, board(options.on)));
    }
    return sources;
}

// A file that cannot be read is the user's error, not the compiler's.
void check_readable(const std::vector<fs::path>& sources) {
    for (const fs::path& source : sources) support::read_file(source);
}

std::string how_it_ended(const ProcessResult& ended, const Options& options) {
    switch (ended.end) {
        case ProcessEnd::timed_out:
            return "the program " + time_out(options);
        case ProcessEnd::signalled:
            return fmt::format("the program was ended by signal {}", ended.status);
        default:
            if (ended.status == kFaultStatus) return "the program had a fault";
            return fmt::format("the program ended with {}", ended.status);
    }
}

// How the program ended, when that is not as it should.
std::string ending(const ProcessResult& ended, const Options& options) {
    if (ended.ok()) return {};
    std::string words = ended.errors + ended.output;
    while (!words.empty() && words.back() == '\n') words.pop_back();
    const std::string how = how_it_ended(ended, options);
    return words.empty() ? how : how + ": " + words;
}

}  // namespace

Result run(const driver::Conversion& conversion, const Sequences& sequences, const Options& options,
           support::Diagnostics& diagnostics) {
    check_readable(options.sources);
    const BuildFolder build_folder(options.keep);
    const fs::path& folder = build_folder.path();
    Result result;
    result.on = options.on;
    result.flags = compile_flags(options);
    result.link_flags = link_flags(options);
    const Tool compiler = module_compiler(options);
    result.compiler = version(compiler, folder, options);
    build(write_sources(conversion, options, folder), folder, options);
    write(folder / "vectors.bin", vectors_file(sequences));

    ProcessResult ended;
    if (options.on == kHost) {
        ended = call_program({{"./program"}, ""}, {}, folder, options);
    } else {
        result.measured.emplace();
        ended = run_on_board(board(options.on), folder, options, *result.measured, diagnostics);
    }
    if (ended.end == ProcessEnd::timed_out) result.hint = kMoreTime;
    std::vector<std::uint8_t> results;
    if (fs::exists(folder / kResults)) results = support::read_file(folder / kResults);
    read_results(results, conversion, sequences, ending(ended, options), result);
    return result;
}

}  // namespace ingot::verify
