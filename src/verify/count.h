// A program on a board under QEMU, and what is measured there.
#pragma once

#include <filesystem>

#include "support/diagnostics.h"
#include "support/process.h"
#include "verify/board.h"
#include "verify/verify.h"

namespace ingot::verify {

/// What the program on a board ends with after a fault (targets/startup.c).
inline constexpr int kFaultStatus = 125;
/// The harness's output in the build folder.
inline constexpr const char* kResults = "results.bin";

/// Runs `program` of the folder on the board. Fills sizes, instruction counts and versions of
/// `measured`; a note says it when instructions cannot be counted. Throws Failure(tool).
support::ProcessResult run_on_board(const Board& board, const std::filesystem::path& folder,
                                    const Options& options, Measurement& measured,
                                    support::Diagnostics& diagnostics);

}  // namespace ingot::verify
