// What `ingot verify` found, for people and for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "verify/verify.h"

namespace ingot::cli {

/// One line for each output, then what was measured.
std::string verify_text(const verify::Result& result);

/// `{on, compiler, flags, sequences, invocations, equal, outputs, failure, measured}`.
nlohmann::json verify_json(const verify::Result& result);

}  // namespace ingot::cli
