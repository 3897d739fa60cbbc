// What placement decides on: a tensor together with its views, which share its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/plan.h"
#include "program/program.h"

namespace ingot::memory {

/// Every offset in an arena is a multiple of this, bytes.
inline constexpr std::size_t kTensorAlignment = 16;

/// A root and its views.
struct Item {
    TensorId root = 0;
    std::vector<TensorId> members;  ///< root and views, ascending
    Role role = Role::scratch;      ///< of the root
    std::size_t size = 0;           ///< bytes of the largest member, at least 1
    std::uint64_t touched = 0;      ///< bytes moved an inference, by all accesses of all members
    Lifetime lifetime;
    std::vector<std::size_t>
        steps;  ///< steps that write it or own it (constants, scratch), ascending
};

/// The items of all tensors, in order of definition: inputs, then step by step what it reads,
/// writes, its scratch, its constants, then what no step mentions. That is the order of the
/// constant arena and the order that breaks ties in the planners.
std::vector<Item> items(const program::Program& program, const std::vector<Lifetime>& lifetimes);

}  // namespace ingot::memory
