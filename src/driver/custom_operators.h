// Holds the declared custom operators against the model.
#pragma once

#include <set>
#include <string>

#include "config/config.h"
#include "ir/graph.h"
#include "program/program.h"
#include "support/diagnostics.h"

namespace ingot::driver {

/// The names that `custom_operators` declares.
std::set<std::string> custom_operator_names(const config::Config& config);

/// Checks `custom_operators` against the graph: declared twice, outputs other than the model's,
/// two names that make one function. A declaration that matches no operator is a note.
/// Throws Failure(usage) with every mistake. An operator that nobody declares is lowering's matter.
void check_custom_operators(const config::Config& config, const ir::Graph& graph,
                            support::Diagnostics& diagnostics);

/// Throws Failure(usage) when the self-test's vectors would have to come from the host execution
/// of a custom operator.
void check_host_vectors(const config::Config& config, const program::Program& program);

}  // namespace ingot::driver
