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

/// Which bodies of the kernels the plan is made for: a core that lacks the instructions computes
/// the same bits with the portable ones.
enum class Variant { portable, dsp, mve };
Variant planned_variant(const platforms::Platform& platform);

/// Whether the platform's core has a feature: `fpu`.
bool has_feature(const platforms::Platform& platform, const std::string& feature);

/// Where a configuration key was set, for messages: a place in the file or flags, else the key.
std::string where_set(const config::Config& config, const std::string& key);

}  // namespace ingot::module
