#include "ops/multipliers.h"

#include <cmath>

#include "ops/numerics.h"

namespace ingot::ops {

bool multiplier_below_one(double real) {
    return real > 0.0 && real < 1.0 && quantize_multiplier(real).shift <= 0;
}

bool multiplier_above_one(double real) {
    return real > 1.0 && std::isfinite(real) && quantize_multiplier(real).shift >= 0;
}

}  // namespace ingot::ops
