// Operators whose output is the input's bytes under another shape: no code, and no second place.
#pragma once

#include "ops/operator.h"

namespace ingot::ops {

/// The constraints of every view on input 0 and output 0, then `own`.
std::vector<Constraint> view_constraints(std::vector<Constraint> own);

/// Makes output 0 a view of input 0.
void lower_view(Lowering& op);

}  // namespace ingot::ops
