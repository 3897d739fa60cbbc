// Compilers and QEMU: how they are called, and what to say when they are missing.
#pragma once

#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "support/process.h"
#include "verify/board.h"
#include "verify/verify.h"

namespace ingot::verify {

/// A tool that verify calls.
struct Tool {
    std::vector<std::string> command;  ///< without arguments
    std::string packages;              ///< Debian's, to install it with
};

/// The words of a command line, split at blanks.
std::vector<std::string> split(const std::string& text);

/// $CC or cc.
Tool host_compiler();

/// What compiles the module for the place that the options name: the compiler they give, else
/// host_compiler() or arm-none-eabi-gcc.
Tool module_compiler(const Options& options);

Tool qemu();

/// Flags that module, harness and application are compiled with.
std::vector<std::string> compile_flags(const Options& options);

/// Further flags that the program is linked with.
std::vector<std::string> link_flags(const Options& options);

/// What to say of a program that took too long, and what to do about it.
std::string time_out(const Options& options);
inline constexpr const char* kMoreTime = "--timeout gives it more";

/// Runs the tool in a folder. Throws Failure(tool) when it is missing, takes too long, or is
/// stopped by us; how it ends otherwise is the caller's concern.
support::ProcessResult call(const Tool& tool, const std::vector<std::string>& arguments,
                            const std::filesystem::path& folder, const Options& options);

/// The same for what runs the module's own program: that it takes too long is a result.
support::ProcessResult call_program(const Tool& tool, const std::vector<std::string>& arguments,
                                    const std::filesystem::path& folder, const Options& options);

/// Like call(); throws Failure(tool) with `what` and the tool's own words also when it fails.
support::ProcessResult call_or_fail(const Tool& tool, const std::vector<std::string>& arguments,
                                    const std::filesystem::path& folder, const Options& options,
                                    const std::string& what);

/// The first line of what the tool says of its version.
std::string version(const Tool& tool, const std::filesystem::path& folder, const Options& options);

/// Compiles the generated files `sources`, whose paths are relative to `folder`, and the options'
/// own, and links them to `program` in `folder`. Throws Failure(tool).
void build(const std::vector<std::string>& sources, const std::filesystem::path& folder,
           const Options& options);

}  // namespace ingot::verify
