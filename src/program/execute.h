// Runs a program on the host with the very kernels that generated modules contain.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "program/program.h"

namespace ingot::program {

/// Where a tensor lives: arena number and byte offset. Views have their root's place.
struct Place {
    std::size_t arena = 0;
    std::size_t offset = 0;
};

/// Arenas and the place of every tensor; made from a memory plan, or one tensor an arena.
struct Layout {
    std::vector<std::size_t> arena_sizes;  ///< bytes
    std::vector<Place> places;             ///< by TensorId
};

/// A layout that gives every root its own arena: needs no plan.
Layout separate_layout(const Program& program);

/// One instance of a program with its memory. State is carried from run to run.
class Instance {
  public:
    /// Called after each step with its number in Program::steps.
    using StepObserver = std::function<void(std::size_t step)>;

    /// Reserves the arenas and resets. The program must outlive the instance.
    /// Throws Failure(memory) when the arenas are larger than kLimit together, std::logic_error
    /// when a tensor lies outside of its arena.
    Instance(const Program& program, const Layout& layout);

    /// The most bytes an instance reserves, so that no model exhausts the host.
    static constexpr std::size_t kLimit = std::size_t{1} << 30;

    /// Fills constants and sets state to its initial values.
    void reset();

    /// The bytes of a tensor in its arena.
    std::span<std::uint8_t> bytes(TensorId tensor);

    /// Runs every step once; returns the first status that is not 0, else 0.
    std::int32_t run(const StepObserver& after_step = {});

  private:
    struct alignas(16) Block {
        std::uint8_t bytes[16];
    };

    const Program& program_;
    Layout layout_;
    std::vector<std::vector<Block>> arenas_;  // blocks give the alignment of arenas
    std::vector<std::vector<std::vector<std::uint64_t>>> descriptors_;  // [step][call], aligned
};

}  // namespace ingot::program
