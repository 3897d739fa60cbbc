// RapidCheck with a fixed seed, so that a test gives the same result every time. RC_PARAMS in the
// environment still wins.
#pragma once

#include <rapidcheck.h>

#include <cstdlib>

namespace ingot::testing {
inline const int kSeedIsFixed = setenv("RC_PARAMS", "seed=20240607 max_success=200", 0);
}  // namespace ingot::testing
