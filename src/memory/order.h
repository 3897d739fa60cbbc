// The order in which a program's steps run: the one with the least peak of live bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/program.h"

namespace ingot::memory {

/// How much work best_order does, in what is the same on every machine.
struct OrderEffort {
    /// Sets of executed steps that the exact search keeps, in words of 64 steps.
    std::size_t words = 200'000;
    /// Steps that the beam search tries out when the exact search has come to its end.
    std::size_t trials = 4'000'000;
    /// Sets that the beam search keeps at most after each step.
    std::size_t beam = 256;
};

/// An order of steps and what it needs. Bytes count as in Region: each tensor with its views
/// rounded up to kTensorAlignment, less what a step's permissions let outputs share with inputs
/// that die there; all memories together.
struct Order {
    std::vector<std::size_t> steps;  ///< indices into Program::steps
    std::size_t peak = 0;            ///< most bytes live in one step of this order
    std::size_t model_peak = 0;      ///< the same for the model's order; never less than `peak`
    std::size_t lower_bound = 0;     ///< bytes: proven, no order has a lower peak
    std::uint64_t states = 0;        ///< sets of executed steps that were looked at
    bool optimal() const { return peak == lower_bound; }
    bool improves() const { return peak < model_peak; }
};

/// The order with the least peak, the model's own (0, 1, 2, …) unless another one has less. Exact
/// while the effort lasts: dynamic programming over the sets of steps that may have run
/// (Liberis and Lane 2019; SERENITY, Ahn et al. 2020), apart between the steps that divide the
/// graph; beyond it beam search. The same on every machine.
Order best_order(const program::Program& program, bool inputs_overwritable,
                 const OrderEffort& effort = {});

/// The program with its steps in that order. Throws std::logic_error when `steps` is no
/// permutation.
program::Program reordered(const program::Program& program, const std::vector<std::size_t>& steps);

}  // namespace ingot::memory
