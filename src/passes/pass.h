// Graph passes: one file each, one registry. The `transforms` command, the CLI help and the
// documentation are made from the registry.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"

namespace ingot::passes {

/// What a pass needs from rooms it may not know.
struct Environment {
    /// Runs one operator whose inputs are all constants and gives its outputs' bytes; nothing
    /// when it cannot be run.
    std::function<std::optional<std::vector<std::vector<std::uint8_t>>>(const ir::Graph&,
                                                                        const ir::Operator&)>
        evaluate;
    /// The operands of an operator that no emitted code reads (ops::OperatorDefinition).
    std::function<std::vector<std::size_t>(const ir::Operator&)> compile_time_inputs;
};

/// What a pass did, for the summary and the report.
struct PassResult {
    std::string name;
    bool enabled = true;
    std::uint64_t changes = 0;  ///< 0: the graph is as before
    std::uint64_t removed_operators = 0;
    std::uint64_t removed_bytes = 0;   ///< of constants
    std::vector<std::string> details;  ///< one sentence each
};

struct Pass {
    std::string_view name;         ///< `drop-unread-constants`
    std::string_view description;  ///< what it does and why it is exact, one sentence
    bool on_by_default = true;
    void (*run)(ir::Graph& graph, const Environment& environment, PassResult& result);
};

/// Every pass in the order they run.
std::span<const Pass* const> registry();

/// Called after each pass that ran.
using Observer = std::function<void(const Pass&, const ir::Graph&)>;

/// Runs the passes that `enabled` says (a missing name: the pass's default), verifying the
/// graph after each.
std::vector<PassResult> run(ir::Graph& graph, const std::map<std::string, bool>& enabled,
                            const Environment& environment, const Observer& observer = {});

}  // namespace ingot::passes
