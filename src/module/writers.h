// The module types: one writer each, `<type>_type.cpp` over templates/<type>/.
#pragma once

#include "module/emission.h"
#include "support/files.h"

namespace ingot::module {

/// Each gives all files of a module of its type, by path below the module's root. A name that
/// the type's tools cannot take is derived or, where that is no longer the user's name, refused
/// with Failure(usage).
support::FileSet write_cmake(const Emission& emission);
support::FileSet write_zephyr(const Emission& emission);
support::FileSet write_nsx(const Emission& emission);
support::FileSet write_cmsis_pack(const Emission& emission);

}  // namespace ingot::module
