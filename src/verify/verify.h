// Proof that the generated C computes what the model says: compile it, run it, compare.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/driver.h"
#include "module/module.h"
#include "support/diagnostics.h"

namespace ingot::verify {

/// Invocations in order on one instance, each sequence from a fresh init.
using Sequences = std::vector<std::vector<module::TestInvocation>>;

struct Options {
    std::string on = "host";                     ///< one of places()
    bool sanitize = false;                       ///< with ASan and UBSan; the host only
    std::vector<std::string> compiler;           ///< its command; empty: the usual one
    std::vector<std::string> flags;              ///< further flags for module and harness
    std::vector<std::filesystem::path> sources;  ///< the application's own C files
    std::chrono::milliseconds timeout{600000};   ///< for each program that is run
    std::filesystem::path keep;         ///< build in this new folder; empty: in a temporary one
    std::function<bool()> interrupted;  ///< true: give up
};

/// The first wrong value of an output.
struct Difference {
    std::size_t sequence = 0;
    std::size_t invocation = 0;  ///< in its sequence
    std::size_t element = 0;
    std::string expected;
    std::string got;
};

struct OutputResult {
    std::string name;           ///< the model's; may be empty
    std::size_t elements = 0;   ///< of one invocation
    std::size_t compared = 0;   ///< in all invocations that ran
    std::uint64_t inexact = 0;  ///< elements that are not the same, within the tolerance or not
    std::uint64_t wrong = 0;    ///< elements that differ by more than the tolerance
    std::optional<Difference> first;
};

/// Bytes of the linked program's sections without what belongs to the harness.
struct Sizes {
    std::uint64_t text = 0;    ///< code: the module's and what it takes of the C library
    std::uint64_t rodata = 0;  ///< constants
    std::uint64_t data = 0;    ///< initialised objects in RAM
    std::uint64_t bss = 0;     ///< arenas, context and other objects in RAM
};

/// What was measured on a core.
struct Measurement {
    Sizes sizes;
    std::uint32_t init_stack = 0;  ///< most bytes of stack below the caller of init
    std::uint32_t run_stack = 0;   ///< … and of run
    /// Instructions executed, one number a call; empty when they could not be counted.
    std::vector<std::uint64_t> init_instructions;
    std::vector<std::uint64_t> run_instructions;
    std::string machine;  ///< QEMU's name of the board
    std::string qemu;     ///< its version
};

struct Result {
    std::string on;
    std::string compiler;                 ///< the first line of what it says of its version
    std::vector<std::string> flags;       ///< that module and harness are compiled with, all
    std::vector<std::string> link_flags;  ///< further ones that the program is linked with
    std::size_t sequences = 0;
    std::size_t invocations = 0;  ///< expected in all
    std::vector<OutputResult> outputs;
    std::string failure;  ///< how the program ended before its end; empty when it didn't
    std::string hint;     ///< what to do about it; may be empty
    std::optional<Measurement> measured;  ///< on cores

    bool equal() const;  ///< it ran to its end and nothing is wrong
};

/// Compiles the module with a harness, runs it on the sequences' inputs and compares with their
/// outputs, within the configuration's `test.tolerance`. A program that takes too long is a failure
/// of the result. Throws Failure(tool) when a tool is missing, fails or takes too long or the C
/// does not compile, Failure(memory) when the board has not enough memory, Failure(io) when a
/// source cannot be read or the folder to keep exists already. Notes go to `diagnostics`.
Result run(const driver::Conversion& conversion, const Sequences& sequences, const Options& options,
           support::Diagnostics& diagnostics);

/// Outputs of LiteRT's reference kernels for the sequences' inputs, put in place of their
/// outputs. The Python to run is $INGOT_PYTHON, else python3. Throws Failure(tool).
void ask_litert(const std::filesystem::path& model, const program::Program& program,
                const Options& options, Sequences& sequences);

}  // namespace ingot::verify
