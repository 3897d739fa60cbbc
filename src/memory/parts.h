// Tensors that are laid where they are a part of another: concatenation without copies of what is
// joined, and slices that are views.
#pragma once

#include <cstddef>

#include "memory/plan.h"
#include "program/program.h"

namespace ingot::memory {

/// Makes views of the parts that steps copy (program::Part) and takes their copies away, as long as
/// the most bytes live in one step, with what permissions let outputs share with inputs, don't
/// become more: a part in place keeps the whole alive from the first part's beginning to the last
/// one's end. A step left without calls is a view.
///
/// A part stays a copy where it has a place of its own already (state, constants, what lies in
/// another tensor), where tensors that the application sees would not begin at a multiple of
/// kTensorAlignment, where a rule names part or whole without the other, with planner `greedy`,
/// which does as the reference does, and with offsets that rules or the model fix.
///
/// Returns the number of copies taken away. The same on every machine; the work is bounded.
std::size_t place_parts(program::Program& program, const PlanOptions& options);

}  // namespace ingot::memory
