// Operators' options tables → ir::Attributes, for every operator of the format alike.
#pragma once

#include "ir/graph.h"
#include "tflite/budget.h"
#include "tflite/schema_generated.h"

namespace ingot::tflite {

/// Copies the options of a verified operator, every field under its name in options.fbs and
/// with the format's default where the file leaves it out, and sets has_options. Tables that
/// the operator `builtin` does not take are an error, unless it takes none at all: then they
/// are ignored, as TensorFlow Lite does. `where` names the operator in messages.
/// Throws Failure(model).
void read_options(const format::Operator& file, format::BuiltinOperator builtin,
                  const std::string& where, Budget& budget, ir::Operator& op);

}  // namespace ingot::tflite
