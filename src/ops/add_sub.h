// What ADD and SUB share.
#pragma once

#include <vector>

#include "ops/operator.h"

namespace ingot::ops {

/// The constraints of ADD and SUB, int8, in order.
std::vector<Constraint> add_sub_constraints();

/// Lowers to one call of add_s8. `sign` is 1 to add input 1 and -1 to subtract it. Both are
/// scaled to twice the larger scale with 20 fraction bits (docs/numerics.md).
void lower_add_sub(Lowering& lowering, std::int32_t sign, ScaleArithmetic arithmetic);

}  // namespace ingot::ops
