// Which items of a program may share bytes although both are live.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/items.h"
#include "program/program.h"

namespace ingot::memory {

/// An output that may lie over an input: their only common step is the one that writes the
/// first byte of the one and reads the last of the other.
struct ItemOverlap {
    std::size_t input = 0;   ///< index into the items
    std::size_t output = 0;  ///< likewise
    std::size_t step = 0;    ///< index into Program::steps
    std::size_t below = 0;   ///< bytes from the output's beginning to the input's, at least
    std::size_t above = 0;   ///< bytes from the input's beginning to the output's, at least
    /// The most bytes they can share.
    std::size_t shared(const std::vector<Item>& items) const;
};

/// Every permission of the program's steps that holds for roots together with all their views,
/// whatever the order of the steps: lifetimes are not looked at.
/// `below` and `above` are rounded up to kTensorAlignment and at most the size (rounded up) of
/// the output and of the input: at that value nothing is shared.
std::vector<ItemOverlap> permitted(const program::Program& program, const std::vector<Item>& items);

/// Those of permitted() in whose step the input dies and the output begins.
std::vector<ItemOverlap> overlaps(const program::Program& program, const std::vector<Item>& items);

/// The bytes that the permissions of one step let its buffers share at most: an output's bytes
/// lie over one input each.
std::size_t shared_bytes(const std::vector<ItemOverlap>& of_step, const std::vector<Item>& items);

}  // namespace ingot::memory
