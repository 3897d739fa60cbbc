// Platforms: a part's core and its memories, from platforms/*.yaml or a user's file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace ingot::platforms {

struct Memory {
    std::string name;                   ///< lower case: `dtcm`
    std::optional<std::uint64_t> size;  ///< usable bytes; nothing for no limit
    bool is_volatile = true;            ///< RAM: its contents are lost without power
    bool writable = true;               ///< the program can write to it
    double read_cost = 1.0;             ///< relative, cycles a word
    bool code_only = false;  ///< for code: data is not placed there unless a rule says so
    bool executable = true;  ///< the core can fetch instructions from it
    std::string note;
    bool confirmed = true;  ///< false: the figures could not be confirmed
};

struct Platform {
    std::string name;
    std::string description;
    std::string vendor;
    std::string cpu;                    ///< `cortex-m55`, …, `generic`
    std::vector<std::string> features;  ///< dsp, mve, fpu, mve_fp
    std::vector<std::int64_t> clocks_mhz;
    std::size_t min_alignment = 16;  ///< bytes, power of two
    std::vector<Memory> memories;
    /// Memories by preference, by role: scratch, persistent, constant (program::Role's order).
    std::array<std::vector<std::string>, 3> order;
    /// Placement macros without the module's prefix and what they are defined as, where the
    /// module's type leaves them empty: `PUT_IN_DTCM` → `__attribute__((section(".dtcm")))`.
    std::map<std::string, std::string> section_macros;
    std::string source;  ///< where the figures come from

    /// The memory of that name (any case), or null.
    const Memory* find(std::string_view memory) const;
    /// Whether the core has a feature: `fpu`.
    bool has(std::string_view feature) const;
};

/// Names of the platforms built in, ascending.
std::vector<std::string> names();

/// A built-in platform or a path to a YAML file, with the configuration's overrides applied
/// and checked. Throws Failure(usage), with a suggestion for a misspelt name.
Platform resolve(const config::PlatformConfig& config);

}  // namespace ingot::platforms
