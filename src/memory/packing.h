// The ground the offset planners stand on: which buffers live together, and first and best fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "memory/offsets.h"

namespace ingot::memory {

enum class Fit {
    lowest,    ///< the lowest offset that is free
    tightest,  ///< the smallest gap that holds the buffer, the top when none does
};

/// Packs one set of buffers again and again in different orders.
class Packer {
  public:
    /// Refers to nothing of `problem` later. Throws std::logic_error when fixed buffers are in
    /// each other's way.
    explicit Packer(const OffsetProblem& problem);

    std::size_t count() const { return sizes_.size(); }
    std::size_t size(std::size_t buffer) const { return sizes_[buffer]; }
    const Lifetime& lifetime(std::size_t buffer) const { return lifetimes_[buffer]; }

    /// No packing is lower: overlap_bound, or the end of a fixed buffer.
    std::size_t bound() const { return bound_; }
    /// A step in which most bytes are live.
    std::int64_t peak_step() const { return peak_step_; }
    /// The most bytes live in one step of the buffer's life, by buffer.
    const std::vector<std::size_t>& pressure() const { return pressure_; }

    /// Places fixed buffers, then the others in the order given. Gives up, with `height` at least
    /// `limit`, as soon as one ends above `limit` - 1.
    Offsets place(const std::vector<std::size_t>& order, Fit fit, std::size_t limit);

    /// Neighbours looked at so far: the measure of work, the same on every machine.
    std::uint64_t work() const { return work_; }

  private:
    /// Offsets that a placed neighbour leaves no room at: all above `after`, below `before`.
    struct Taken {
        std::int64_t after = 0;
        std::int64_t before = 0;
    };
    /// How far a buffer and another one must be apart when that is less than the lower's size.
    struct Exception {
        std::size_t other = 0;
        std::size_t below_other = 0;  ///< from this buffer's beginning to the other's
        std::size_t above_other = 0;  ///< from the other's beginning to this one's
    };

    Exception& exception(std::size_t buffer, std::size_t other);
    void measure();
    void build_index();
    void check_fixed();
    void put(std::size_t buffer, std::size_t offset);
    void visit(std::size_t node, std::size_t buffer);
    void take(std::size_t buffer, std::size_t placed);
    std::size_t find(std::size_t buffer, Fit fit);

    std::vector<std::size_t> sizes_;
    std::vector<Lifetime> lifetimes_;
    std::vector<std::size_t> alignments_;
    std::vector<std::optional<std::size_t>> fixed_;
    std::vector<std::vector<Exception>> exceptions_;  // by buffer
    std::size_t bound_ = 0;
    std::int64_t peak_step_ = 0;
    std::vector<std::size_t> pressure_;

    // Buffers by first step, and over them a tree of the latest last steps: finds all that
    // overlap a lifetime without looking at the rest.
    std::vector<std::size_t> by_first_;
    std::vector<std::size_t> leaf_;  // by buffer: its place in by_first_
    std::vector<std::int64_t> latest_;
    std::size_t leaves_ = 1;

    // The placement in the making.
    std::vector<std::size_t> offsets_;
    std::vector<Taken> taken_;
    std::uint64_t work_ = 0;
};

}  // namespace ingot::memory
