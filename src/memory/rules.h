// Placement rules: which memories each item may live in, in order of preference, and why.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "memory/items.h"
#include "memory/plan.h"

namespace ingot::memory {

/// One place an item may have. Both are indices into Platform::memories; they differ only for a
/// constant that is staged: stored in `source`, read in `memory`.
struct Candidate {
    std::size_t memory = 0;
    std::size_t source = 0;

    bool operator==(const Candidate&) const = default;
};

/// What rules and platform say about one item. With an offset there is but one candidate.
struct Wish {
    std::vector<Candidate> candidates;         ///< in order of preference, never empty
    std::size_t alignment = kTensorAlignment;  ///< of the arena it lives in, bytes
    std::optional<std::size_t> offset;         ///< where it must begin in its scratch arena, bytes
    std::string offset_by;                     ///< what says so: `rule config.yaml:7:7`
    Decision decision;
};

/// Whether `pattern` (with `*` for any text and `?` for any character) covers `text`; case is
/// ignored. Linear in practice, and never worse than the product of the lengths.
bool glob_matches(std::string_view pattern, std::string_view text);

/// How much a rule says about what it is for: none < type < id < type and id.
int specificity(const config::Rule& rule);

/// Whether a rule of `operators` is about the step: by type, and by number or name.
bool matches(const config::Rule& rule, const program::Step& step);

/// Where the rules of `operators` put the code of each operator, and of each kernel that such an
/// operator calls. When operators of one kernel disagree, the first one's memory holds, and the
/// others get a note. The memories' names have been checked by resolve.
CodePlan place_code(const program::Program& program, const std::vector<config::Rule>& rules,
                    support::Diagnostics& diagnostics);

/// One wish for each item. All matching rules are merged field by field, the more specific later:
/// none < type < id < type and id; among equals the later wins. `scratch_placement` of
/// `operators` counts as a rule that stands after those of `memory.tensors`.
///
/// A rule with an operator's type covers what the operator writes, its scratch and its
/// constants; the operator's own name (`conv_2d_0`) as an id does too.
///
/// Throws Failure(usage) with every mistake: unknown memories, an offset for what isn't scratch,
/// scratch or state in a memory that can't be written to, code in one that can't execute it. A rule
/// that matches nothing is a note.
std::vector<Wish> resolve(const program::Program& program, const std::vector<Item>& items,
                          const platforms::Platform& platform, const PlanOptions& options,
                          support::Diagnostics& diagnostics);

}  // namespace ingot::memory
