// Where things are and why: `--explain ID` and -v.
#pragma once

#include <string>

#include "cli/session.h"
#include "driver/driver.h"

namespace ingot::cli {

/// For the tensors and operators of that id: rules that matched, placement, offset, lifetime,
/// kernel and why. Throws Failure(usage), with a suggestion, when there is none.
std::string explain_text(const driver::Compilation& compilation, const std::string& id);

/// With -v: one line for each tensor's place and the rule that decided it.
void tell_placements(Session& session, const driver::Compilation& compilation);

}  // namespace ingot::cli
