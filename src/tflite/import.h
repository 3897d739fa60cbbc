// TensorFlow Lite FlatBuffer → ir::Model. The bytes are hostile until checked.
#pragma once

#include <cstdint>
#include <span>

#include "ir/graph.h"
#include "support/diagnostics.h"

namespace ingot::tflite {

/// Reads a model file. After this every index is in range, every shape and byte count defined,
/// every constant as long as its shape says, operators in execution order, and memory use is
/// bounded by a small multiple of the file's size. Warnings go to `diagnostics`.
/// Throws Failure(model) naming the place for anything malformed.
ir::Model import(std::span<const std::uint8_t> file, support::Diagnostics& diagnostics);

}  // namespace ingot::tflite
