// The passes by name; each is defined in the file of that name.
#pragma once

#include "passes/pass.h"

namespace ingot::passes {

const Pass& fold_constants();
const Pass& collapse_views();
const Pass& remove_dead_operators();
const Pass& fuse_pad();
const Pass& fuse_activation();
const Pass& intern_constants();
const Pass& drop_unread_constants();

}  // namespace ingot::passes
