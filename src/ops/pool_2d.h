// What AVERAGE_POOL_2D and MAX_POOL_2D share.
#pragma once

#include <vector>

#include "ops/operator.h"

namespace ingot::ops {

/// The constraints of an int8 pooling operator, in order.
std::vector<Constraint> pool_2d_constraints();

/// Lowers to one call of a pooling kernel; all have the same fields and arguments.
void lower_pool_2d(Lowering& lowering, const program::KernelEntry& kernel);

}  // namespace ingot::ops
