#include "verify/count.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "support/embedded.h"
#include "support/files.h"
#include "verify/elf.h"
#include "verify/toolchain.h"

namespace ingot::verify {
namespace {

namespace fs = std::filesystem;
using support::Failure;
using support::ProcessResult;
using Words = std::vector<std::string>;

constexpr const char* kPlugin = "count.so";
constexpr const char* kCounts = "counts.txt";

// Numbers of the marks in targets/target.h.
enum Mark : std::uint32_t { init_begins, init_ends, run_begins, run_ends };

// Where the image has its marks.
std::map<std::uint64_t, Mark> marks(const Image& image) {
    const auto bytes = image.contents(".target_marks");
    std::map<std::uint64_t, Mark> result;
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
        // The lowest bit of an address says that the code is Thumb.
        result[word(bytes, at) & ~std::uint32_t{1}] = static_cast<Mark>(word(bytes, at + 4));
    }
    return result;
}

// The version of the plugin interface: 2 is the oldest that QEMU 9 and later take.
int plugin_version(const std::string& qemu_version) {
    return std::atoi(qemu_version.c_str()) >= 9 ? 2 : 1;
}

// `7.2.22` from `QEMU emulator version 7.2.22 (…)`; the whole line when it has no number.
std::string version_number(const std::string& line) {
    const std::size_t begin = line.find_first_of("0123456789");
    if (begin == std::string::npos) return line;
    return line.substr(begin, line.find(' ', begin) - begin);
}

// Builds the plugin; gives QEMU's options for it, none when it cannot be built.
Words plugin_options(const Image& image, const fs::path& folder, const Options& options,
                     const std::string& qemu_version, support::Diagnostics& diagnostics) {
    support::write_file_atomically(folder / "count.c", support::embedded_file("targets/count.c"));
    const std::string version = fmt::format("-DVERSION={}", plugin_version(qemu_version));
    try {
        call_or_fail(host_compiler(),
                     {"-O2", "-std=gnu11", "-fPIC", "-fvisibility=hidden", "-shared", version, "-o",
                      kPlugin, "count.c"},
                     folder, options, "cannot build the plugin that counts");
    } catch (const Failure& failure) {
        const support::Diagnostic& why = failure.diagnostics().front();
        if (options.interrupted && options.interrupted()) throw;
        diagnostics.note(
            why.where,
            "instructions are not counted, which needs a compiler for the host: " + why.message,
            why.hint);
        return {};
    }
    std::string list;
    for (const auto& mark : marks(image)) list += fmt::format(":{:x}", mark.first);
    if (!list.empty()) list.front() = '=';
    return {"-plugin", fmt::format("./{},out={},marks{}", kPlugin, kCounts, list)};
}

// What the plugin has written, as the number of instructions of each call.
void read_counts(const fs::path& file, const Image& image, Measurement& measured) {
    const auto bytes = support::read_file(file);
    std::istringstream text(std::string(bytes.begin(), bytes.end()));
    const auto places = marks(image);
    std::uint64_t address = 0;
    std::uint64_t count = 0;
    std::uint64_t begun = 0;
    while (text >> std::hex >> address >> std::dec >> count) {
        const auto place = places.find(address);
        if (place == places.end()) continue;
        switch (place->second) {
            case init_begins:
            case run_begins:
                begun = count;
                break;
            case init_ends:
                measured.init_instructions.push_back(count - begun);
                break;
            case run_ends:
                measured.run_instructions.push_back(count - begun);
                break;
        }
    }
}

Words qemu_options(const Board& board) {
    return {"-M",
            board.machine,
            "-nographic",
            "-monitor",
            "none",
            "-serial",
            "none",
            "-semihosting-config",
            "enable=on,target=native",
            "-kernel",
            "program"};
}

}  // namespace

ProcessResult run_on_board(const Board& board, const fs::path& folder, const Options& options,
                           Measurement& measured, support::Diagnostics& diagnostics) {
    const Image image(support::read_file(folder / "program"), "program");
    measured.sizes = image.sizes(".target_");
    measured.machine = board.machine;
    measured.qemu = version_number(version(qemu(), folder, options));
    const Words plugin = plugin_options(image, folder, options, measured.qemu, diagnostics);
    Words words = qemu_options(board);
    words.insert(words.end(), plugin.begin(), plugin.end());
    ProcessResult result = call_program(qemu(), words, folder, options);
    if (result.end == support::ProcessEnd::timed_out) return result;
    if (fs::exists(folder / kCounts)) {
        read_counts(folder / kCounts, image, measured);
    } else if (!plugin.empty()) {
        // A QEMU that takes no such plugin leaves at once; without it, it runs the program.
        diagnostics.note(qemu().command.front(),
                         "instructions are not counted: " + result.errors + result.output);
        result = call_program(qemu(), qemu_options(board), folder, options);
        if (result.end == support::ProcessEnd::timed_out) return result;
    }
    if (!result.ok() && result.status != kFaultStatus && !fs::exists(folder / kResults)) {
        throw Failure(support::ExitStatus::tool, qemu().command.front(),
                      "cannot run the program: " + result.errors + result.output);
    }
    return result;
}

}  // namespace ingot::verify
