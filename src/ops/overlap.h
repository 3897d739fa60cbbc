// How far a kernel lets its output lie over an input: the least distances at which it never
// overwrites what it has yet to read.
//
// A kernel reads and writes bytes one after another. With the output's beginning d bytes below
// the input's, writing output byte w destroys input byte w - d, so d must differ from w - r for
// every byte r that is read after w is written. The least d from which on all are safe is
// max(w - r) + 1: the end of what is written less the first byte still to be read, at its
// largest. Running backwards is the mirror image, and distances are then between the ends.
// All distances are sufficient, and where they are above 0 they are the least: a unit test runs
// the kernels at them and one byte closer.
#pragma once

#include <cstdint>

#include "ops/lowering.h"

namespace ingot::ops {

/// conv_2d_s8 with these fields: pixel by pixel; an output channel is written while the later
/// ones still need the window, those of a group its input channels.
Distances conv_2d_distances(const program::FieldValues& fields);

/// depthwise_conv_2d_s8 with these fields: pixel by pixel, 16 output channels at a time, which
/// need the window of their own channels only.
Distances depthwise_conv_2d_distances(const program::FieldValues& fields);

/// average_pool_2d_s8 and max_pool_2d_s8 with these fields: pixel by pixel, and in a pixel channel
/// by channel, each of which needs its own channel of the window.
Distances pool_2d_distances(const program::FieldValues& fields);

/// Kernels that make a row of `output_row` bytes from a row of `input_row` bytes, `rows` times,
/// and need the whole input row for every byte of the output row.
Distances row_distances(std::int64_t rows, std::int64_t input_row, std::int64_t output_row);

/// Kernels that make element i of `count` from element i, after which they don't read it again;
/// sizes of elements in bytes.
Distances element_distances(std::int64_t count, std::int64_t input_size, std::int64_t output_size);

/// Permits output 0 to lie over input 0 for a kernel of that kind.
void permit_elements(Lowering& lowering);

/// An operand of `input_elements` bytes that is repeated to make `output_elements` bytes, which
/// are written in order, each after what it is made from is read.
Distances broadcast_distances(std::int64_t input_elements, std::int64_t output_elements);

/// pad: in order, each input row moved to its place when all before it is written. `last_row` is
/// where the last input row begins in the output, `row` the bytes of a row.
Distances pad_distances(std::int64_t input_bytes, std::int64_t row, std::int64_t last_row);

/// One call of copy_rows out of several that fill an output from its first rows' first byte on:
/// `rows` rows of `row` bytes go to `offset` bytes from the beginning of the output's rows, of
/// `output_row` bytes. The calls before have filled all that is in front of that.
Distances copy_rows_distances(std::int64_t rows, std::int64_t row, std::int64_t output_row,
                              std::int64_t offset);

}  // namespace ingot::ops
