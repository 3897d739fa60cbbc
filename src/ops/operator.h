// What an operator is to the compiler: constraints, and its lowering to kernel calls.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"
#include "ops/lowering.h"

namespace ingot::ops {

/// One rule that an operator of the model must keep, as a sentence and a predicate. The page
/// of supported operators, the `operators` command and the error messages are made from it.
struct Constraint {
    std::string_view sentence;  ///< `strides and dilations are 1 or more`
    bool (*holds)(const OperatorView& op);
};

/// As `max_inputs` or `max_outputs`: there is no limit.
inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// A row of the registry.
struct OperatorDefinition {
    std::string_view type;   ///< `CONV_2D`
    std::string_view types;  ///< for the documentation: `int8 x int8 -> int8`
    std::size_t min_inputs = 1;
    std::size_t max_inputs = 1;  ///< also when optional ones are absent
    std::size_t min_outputs = 1;
    std::size_t max_outputs = 1;
    bool needs_options = false;  ///< refused when the file has no options table for it
    /// Inputs whose values are compiled into descriptors or tables, so that no emitted code
    /// reads the tensor; what `drop-unread-constants` drops.
    std::vector<std::size_t> compile_time_inputs = {};
    std::vector<Constraint> constraints =
        {};  ///< checked in order; a later one may rely on earlier
    void (*lower)(Lowering& lowering) = nullptr;
};

/// Every supported operator, by type ascending.
std::span<const OperatorDefinition* const> registry();

/// The definition, or null.
const OperatorDefinition* find(std::string_view type);

/// Why the operator is not supported, one sentence each; empty when it is. A custom operator is
/// when the options declare it.
std::vector<std::string> unsupported_reasons(const ir::Graph& graph, const ir::Operator& op,
                                             const LoweringOptions& options);

/// Lowers the whole graph. Checks every operator first and throws Failure(model) with all the
/// unsupported ones named.
program::Program lower(const ir::Graph& graph, const LoweringOptions& options);

}  // namespace ingot::ops
