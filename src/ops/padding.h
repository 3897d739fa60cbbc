// What PAD and PADV2 share.
#pragma once

#include <vector>

#include "ops/operator.h"

namespace ingot::ops {

/// The constraints of padding operators on types, paddings and shapes, in order.
std::vector<Constraint> padding_constraints();

/// Lowers to one call of pad. `fill` is the added value's bytes as a little-endian number;
/// nothing when input 2 holds the value at run time.
void lower_padding(Lowering& lowering, std::optional<std::int32_t> fill);

}  // namespace ingot::ops
