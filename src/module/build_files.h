// What the build files of all module types have in common.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "module/emission.h"
#include "support/files.h"

namespace ingot::module {

/// The values that build files use, over Emission::base(): `id` and `ID`, the module's name as an
/// identifier; `name`; `version`, three numbers; `summary`, a line about the model; `test`,
/// whether the self-test is part of the module; `uses_math`, whether it calls <math.h>.
nlohmann::json build_data(const Emission& emission);

/// The paths of files whose path begins with `folder` and ends with `suffix`, ascending, as a
/// list for a template: `[{"file": "src/aot_model.c"}, …]`.
nlohmann::json file_list(const support::FileSet& files, const std::string& folder,
                         const std::string& suffix);

/// Throws Failure(usage) when the embedded file `list` has the module's identifier, which is the
/// name of its library: a build system, `whose`, has a target of that name itself. The file has
/// a name a line, with `*` at its end for any end; lines that begin with `#` are comments.
void refuse_taken_name(const Emission& emission, const std::string& whose, const char* list);

/// Where a configuration key was set, for messages: a place in the file or flags, else the key.
std::string where_set(const config::Config& config, const std::string& key);

}  // namespace ingot::module
