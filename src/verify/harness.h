// The program around a module: its sources, its vectors, and what it says.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/driver.h"
#include "verify/board.h"
#include "verify/verify.h"

namespace ingot::verify {

/// The C file that reads vectors, runs the module and writes what comes out. It owns the context
/// and, where the application does, the arenas.
std::string harness_source(const driver::Conversion& conversion);

/// The linker script: code in the board's code memory, constants and arenas where they fit.
/// Throws Failure(memory) when they fit nowhere.
std::string linker_script(const driver::Conversion& conversion, const Board& board);

/// The harness's input.
std::string vectors_file(const Sequences& sequences);

/// Reads the harness's output: compares, and fills outputs, failure and the stack of `result`.
/// `ended` says how the program ended; empty when it did as it should.
void read_results(const std::vector<std::uint8_t>& bytes, const driver::Conversion& conversion,
                  const Sequences& sequences, const std::string& ended, Result& result);

}  // namespace ingot::verify
