// NumPy arrays as a model's inputs and outputs: .npy files and .npz archives of test vectors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/types.h"
#include "module/module.h"
#include "program/program.h"

namespace ingot::driver {

/// The type of such a tensor's elements in a .npy file: `i1`, `f4`, …; empty when NumPy has
/// none (int4, string).
std::string npy_type(ir::DataType type);

/// Test vectors from an .npz archive: `input_N` and `output_N` for every input and output of
/// the program, of the tensor's type and shape. All of them may have one more leading axis:
/// invocations in order, from a fresh init, state carried. `where` names the file in messages.
/// Throws Failure(io) when it is no .npz archive, Failure(usage) for a missing or unknown
/// array and for a wrong type or size.
std::vector<module::TestInvocation> load_golden(std::span<const std::uint8_t> bytes,
                                                const program::Program& program,
                                                const std::string& where = "test.golden_data");

}  // namespace ingot::driver
