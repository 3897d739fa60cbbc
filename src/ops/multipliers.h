// Multipliers that the reference checks: it aborts where these say no.
#pragma once

namespace ingot::ops {

/// 0 < real < 1 with a shift of 0 or less.
bool multiplier_below_one(double real);

/// real > 1 with a shift of 0 or more.
bool multiplier_above_one(double real);

}  // namespace ingot::ops
