// The C files that all module types share.
#pragma once

#include "module/emission.h"
#include "support/files.h"

namespace ingot::module {

/// How a module type spells the macros of the platform header.
struct PlatformSpelling {
    /// Headers that `<p>_platform.h` includes: `zephyr/linker/sections.h`.
    std::vector<std::string> includes;
    /// The value of a placement macro given without the prefix, `PUT_IN_DTCM`: the lines between
    /// `#ifndef` and `#endif`. The default defines it empty.
    std::string (*definition)(const std::string& macro, const std::string& name);
    /// The lines that define `<P>_PRINTF(...)` unless it is defined.
    std::string printf_lines;
};

/// `#define MACRO`, where the platform's section macros may say more: for systems without
/// placement macros of their own.
std::string empty_definition(const std::string& macro, const std::string& name);

/// The lines for `printf_lines` of systems without a console.
std::string printf_does_nothing(const Emission& emission);

/// Each of these adds its files to `files`.
void add_platform_header(const Emission& emission, const PlatformSpelling& spelling,
                         support::FileSet& files);
void add_tensors(const Emission& emission, support::FileSet& files);
void add_constants(const Emission& emission, support::FileSet& files);
void add_context(const Emission& emission, support::FileSet& files);
void add_model(const Emission& emission, support::FileSet& files);
void add_kernels(const Emission& emission, support::FileSet& files);
void add_layers(const Emission& emission, support::FileSet& files);
/// `<p>_custom.{h,c}`, when the model has custom operators.
void add_custom_operators(const Emission& emission, support::FileSet& files);
void add_test_case(const Emission& emission, support::FileSet& files);

/// All of the above, the licence, the reports and the sidecars: everything but the README and
/// the build files.
support::FileSet common_files(const Emission& emission, const PlatformSpelling& spelling);

}  // namespace ingot::module
