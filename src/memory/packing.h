// The ground the offset planners stand on: which buffers live together, and first and best fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "memory/plan.h"

namespace ingot::memory {

enum class Fit {
    lowest,    ///< the lowest offset that is free
    tightest,  ///< the smallest gap that holds the buffer, the top when none does
};

/// Packs one set of buffers again and again in different orders.
class Packer {
  public:
    /// Sizes are rounded up to `alignment`, a power of two.
    Packer(const std::vector<Buffer>& buffers, std::size_t alignment);

    std::size_t count() const { return sizes_.size(); }
    std::size_t size(std::size_t buffer) const { return sizes_[buffer]; }
    const Lifetime& lifetime(std::size_t buffer) const { return lifetimes_[buffer]; }

    /// The most bytes live in one step.
    std::size_t bound() const { return bound_; }
    /// A step in which they are.
    std::int64_t peak_step() const { return peak_step_; }
    /// The most bytes live in one step of the buffer's life, by buffer.
    const std::vector<std::size_t>& pressure() const { return pressure_; }

    /// Places the buffers in the order given. Gives up, with `height` at least `limit`, as soon
    /// as one ends above `limit` - 1.
    Offsets place(const std::vector<std::size_t>& order, Fit fit, std::size_t limit);

    /// Neighbours looked at so far: the measure of work, the same on every machine.
    std::uint64_t work() const { return work_; }

  private:
    struct Span {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    void measure();
    void build_index();
    void visit(std::size_t node, const Lifetime& lifetime);
    std::size_t find(std::size_t size, Fit fit);

    std::vector<std::size_t> sizes_;
    std::vector<Lifetime> lifetimes_;
    std::size_t bound_ = 0;
    std::int64_t peak_step_ = 0;
    std::vector<std::size_t> pressure_;

    // Buffers by first step, and over them a tree of the latest last steps: finds all that
    // overlap a lifetime without looking at the rest.
    std::vector<std::size_t> by_first_;
    std::vector<std::int64_t> latest_;
    std::size_t leaves_ = 1;

    // The placement in the making.
    std::vector<std::size_t> offsets_;
    std::vector<Span> taken_;
    std::uint64_t work_ = 0;
};

}  // namespace ingot::memory
