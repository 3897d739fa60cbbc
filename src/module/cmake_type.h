// Module type `cmake`: a CMake project that is also a package.
#pragma once

#include "module/emission.h"
#include "support/files.h"

namespace ingot::module {

/// All files of a module of this type.
support::FileSet write_cmake(const Emission& emission);

}  // namespace ingot::module
