// The boards that modules run on, from targets/boards.json: QEMU's machines, one a core.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ingot::verify {

/// A memory of a board. QEMU loads any of them, and none has wait states.
struct Block {
    std::string name;
    std::string base;        ///< address as text for the linker
    std::uint64_t size = 0;  ///< bytes
};

struct Board {
    std::string core;                        ///< `cortex-m4`
    std::string machine;                     ///< QEMU's name for it
    std::vector<std::string> flags;          ///< of the compiler, to choose the core
    std::vector<std::string> startup_flags;  ///< further ones for the start-up code
    Block code;                              ///< code, and constants that fit
    Block data;                              ///< stack, and arenas that fit
    Block large;                             ///< what does not
};

/// The host's name among the places to run on.
inline constexpr const char* kHost = "host";

/// `host` and the cores that there is a board for.
std::vector<std::string> places();

/// The place in that form, from `M4`, `cortex_m4`, …. Throws Failure(usage) for an unknown one
/// and for a core that QEMU has no machine with.
std::string place_name(const std::string& text);

/// The board with this core, one of places().
Board board(const std::string& core);

}  // namespace ingot::verify
