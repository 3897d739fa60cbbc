// What belongs to each builtin operator of the format besides its number.
#pragma once

#include "tflite/schema_generated.h"

namespace ingot::tflite {

/// The members of the two options unions that a builtin operator may carry; at most one of
/// them is not NONE. Operators without options of their own have NONE twice.
struct OptionsTypes {
    format::BuiltinOptions first = format::BuiltinOptions::NONE;
    format::BuiltinOptions2 second = format::BuiltinOptions2::NONE;
};

/// The options of an operator.
OptionsTypes options_of(format::BuiltinOperator op);

/// Whether the operator may have no outputs: it acts on resources or calls a subgraph.
bool may_have_no_outputs(format::BuiltinOperator op);

}  // namespace ingot::tflite
