#include "verify/toolchain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <sstream>
#include <system_error>
#include <thread>

namespace ingot::verify {
namespace {

namespace fs = std::filesystem;
using support::ExitStatus;
using support::Failure;
using support::Process;
using support::ProcessEnd;
using support::ProcessResult;

using Words = std::vector<std::string>;

constexpr const char* kArmPackages = "gcc-arm-none-eabi libnewlib-arm-none-eabi";

void append(Words& words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

std::string install_hint(const Tool& tool) {
    if (tool.packages.empty()) return {};
    return "on Debian and its kin: apt-get install " + tool.packages;
}

// A compiler without its C library says so in one of these ways.
bool library_is_missing(const std::string& words) {
    return words.find("nano.specs") != std::string::npos ||
           words.find(".h: No such file") != std::string::npos ||
           words.find("cannot find -l") != std::string::npos ||
           words.find("cannot find lib") != std::string::npos;
}

// Our own code on the board: small, and never turned into calls of a library.
Words startup_flags(const Board& board) {
    Words flags = {"-std=gnu11",     "-Os",          "-mthumb",
                   "-ffreestanding", "-fno-builtin", "-fno-tree-loop-distribute-patterns"};
    append(flags, board.flags);
    append(flags, board.startup_flags);
    return flags;
}

void compile(const Tool& compiler, const Words& sources, const fs::path& folder,
             const Options& options, const std::string& what) {
    Words arguments = compile_flags(options);
    append(arguments, {"-I", "..", "-I", "../module/includes-api", "-c"});
    append(arguments, sources);
    call_or_fail(compiler, arguments, folder, options, what);
}

// Compiles one after another what falls to one of several workers.
void compile_part(const Tool& compiler, const Words& sources, const fs::path& folder,
                  const Options& options) {
    if (sources.empty()) return;
    Words paths;
    for (const std::string& source : sources) paths.push_back("../" + source);
    compile(compiler, paths, folder, options, "the generated C does not compile");
}

// A folder for each file, as their names may be the same.
std::vector<fs::path> compile_application(const Tool& compiler, const fs::path& folder,
                                          const Options& options) {
    std::vector<fs::path> folders;
    for (const fs::path& source : options.sources) {
        folders.push_back(folder / fmt::format("application-{}", folders.size()));
        fs::create_directory(folders.back());
        compile(compiler, {fs::absolute(source).string()}, folders.back(), options,
                source.string() + " does not compile");
    }
    return folders;
}

void link(const Tool& compiler, const std::vector<fs::path>& object_folders, const fs::path& folder,
          const Options& options) {
    Words arguments = compile_flags(options);
    append(arguments, link_flags(options));
    append(arguments, {"-o", "program"});
    if (options.on != kHost) arguments.emplace_back("target_startup.o");
    for (const fs::path& objects : object_folders) {
        Words names;
        for (const auto& entry : fs::directory_iterator(objects)) names.push_back(entry.path());
        std::sort(names.begin(), names.end());
        append(arguments, names);
    }
    arguments.emplace_back("-lm");
    call_or_fail(compiler, arguments, folder, options,
                 options.sources.empty() ? "the generated C does not link"
                                         : "the generated C and the application's do not link");
}

// Runs a tool; that it fails or takes too long is the caller's concern.
ProcessResult run_tool(const Tool& tool, const Words& arguments, const fs::path& folder,
                       const Options& options) {
    Process process;
    process.words = tool.command;
    append(process.words, arguments);
    process.folder = folder;
    // A compiler that we end leaves its temporary files, which go with the folder.
    process.environment["TMPDIR"] = folder.string();
    process.timeout = options.timeout;
    process.interrupted = options.interrupted;
    ProcessResult result = support::run_process(process);
    const std::string& name = tool.command.front();
    switch (result.end) {
        case ProcessEnd::not_found:
            throw Failure(ExitStatus::tool, name, "is not installed", install_hint(tool));
        case ProcessEnd::not_started:
            throw Failure(ExitStatus::tool, name,
                          "cannot be run: " + std::generic_category().message(result.status));
        case ProcessEnd::interrupted:
            throw Failure(ExitStatus::tool, name, "was interrupted");
        case ProcessEnd::timed_out:
        case ProcessEnd::exited:
        case ProcessEnd::signalled:
            break;
    }
    return result;
}

}  // namespace

std::vector<std::string> split(const std::string& text) {
    std::istringstream stream(text);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

Tool host_compiler() {
    Words words = split(environment("CC"));
    if (words.empty()) words = {"cc"};
    return {words, "gcc"};
}

Tool module_compiler(const Options& options) {
    if (!options.compiler.empty()) return {options.compiler, ""};
    if (options.on == kHost) return host_compiler();
    return {{"arm-none-eabi-gcc"}, kArmPackages};
}

Tool qemu() {
    return {{"qemu-system-arm"}, "qemu-system-arm"};
}

Words compile_flags(const Options& options) {
    Words flags = {"-std=c99"};
    if (options.sanitize) {
        append(flags, {"-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"});
    } else {
        flags.emplace_back("-O2");
    }
    append(flags, {"-ffunction-sections", "-fdata-sections"});
    if (options.on != kHost) {
        flags.emplace_back("-mthumb");
        append(flags, board(options.on).flags);
    }
    append(flags, options.flags);
    return flags;
}

Words link_flags(const Options& options) {
    if (options.on == kHost) return {};
    return {"-nostartfiles",
            "--specs=nano.specs",
            "-Wl,--gc-sections",
            "-Wl,--no-warn-rwx-segments",
            "-Wl,-Map=program.map",
            "-T",
            "link.ld"};
}

std::string time_out(const Options& options) {
    return fmt::format("did not end within {} s",
                       std::chrono::duration<double>(options.timeout).count());
}

ProcessResult call(const Tool& tool, const Words& arguments, const fs::path& folder,
                   const Options& options) {
    ProcessResult result = run_tool(tool, arguments, folder, options);
    if (result.end == ProcessEnd::timed_out) {
        throw Failure(ExitStatus::tool, tool.command.front(), time_out(options), kMoreTime);
    }
    return result;
}

ProcessResult call_program(const Tool& tool, const Words& arguments, const fs::path& folder,
                           const Options& options) {
    return run_tool(tool, arguments, folder, options);
}

ProcessResult call_or_fail(const Tool& tool, const Words& arguments, const fs::path& folder,
                           const Options& options, const std::string& what) {
    ProcessResult result = call(tool, arguments, folder, options);
    if (result.ok()) return result;
    const std::string words = result.errors + result.output;
    const std::string hint = library_is_missing(words) ? install_hint(tool) : std::string();
    throw Failure(ExitStatus::tool, tool.command.front(), what + ":\n" + words, hint);
}

std::string version(const Tool& tool, const fs::path& folder, const Options& options) {
    const ProcessResult result = call(tool, {"--version"}, folder, options);
    return result.output.substr(0, result.output.find('\n'));
}

void build(const Words& sources, const fs::path& folder, const Options& options) {
    const Tool compiler = module_compiler(options);
    const std::size_t workers =
        std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, sources.size());
    std::vector<std::future<void>> running;
    std::vector<fs::path> folders;
    for (std::size_t worker = 0; worker < workers; ++worker) {
        Words part;
        for (std::size_t i = worker; i < sources.size(); i += workers) part.push_back(sources[i]);
        folders.push_back(folder / fmt::format("objects-{}", worker));
        fs::create_directory(folders.back());
        running.push_back(
            std::async(std::launch::async, compile_part, compiler, part, folders.back(), options));
    }
    if (options.on != kHost) {
        Words arguments = startup_flags(board(options.on));
        append(arguments, {"-c", "target_startup.c"});
        call_or_fail(compiler, arguments, folder, options, "the start-up code does not compile");
    }
    for (std::future<void>& worker : running) worker.get();

    const std::vector<fs::path> application = compile_application(compiler, folder, options);
    folders.insert(folders.end(), application.begin(), application.end());
    link(compiler, folders, folder, options);
}

}  // namespace ingot::verify
