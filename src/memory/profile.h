// Bytes live in each step, kept up to date while buffers come and go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/plan.h"

namespace ingot::memory {

/// A segment tree over steps: adding to a range and the largest sum take O(log steps).
class Profile {
  public:
    /// Covers the steps `first` to `last`, both inclusive.
    Profile(std::int64_t first, std::int64_t last)
        : first_(first), count_(static_cast<std::size_t>(last - first + 1)) {
        while (leaves_ < count_) leaves_ *= 2;
        nodes_.resize(2 * leaves_);
    }

    /// Adds `bytes`, which may be negative, in every step of `lifetime`.
    void add(const Lifetime& lifetime, std::int64_t bytes) {
        add(1, 0, leaves_ - 1, static_cast<std::size_t>(lifetime.first - first_),
            static_cast<std::size_t>(lifetime.last - first_), bytes);
    }

    /// The most bytes live in one step.
    std::int64_t peak() const { return nodes_[1].most; }

    /// The first step in which `peak()` bytes are live.
    std::int64_t peak_step() const {
        std::size_t node = 1;
        while (node < leaves_) {
            node = nodes_[2 * node].most >= nodes_[2 * node + 1].most ? 2 * node : 2 * node + 1;
        }
        return first_ + static_cast<std::int64_t>(node - leaves_);
    }

  private:
    struct Node {
        std::int64_t most = 0;   // within the node, without what its ancestors add
        std::int64_t added = 0;  // to the whole node
    };

    void add(std::size_t node, std::size_t low, std::size_t high, std::size_t from, std::size_t to,
             std::int64_t bytes) {
        if (from > high || to < low) return;
        if (from <= low && high <= to) {
            nodes_[node].most += bytes;
            nodes_[node].added += bytes;
            return;
        }
        const std::size_t middle = (low + high) / 2;
        add(2 * node, low, middle, from, to, bytes);
        add(2 * node + 1, middle + 1, high, from, to, bytes);
        nodes_[node].most =
            nodes_[node].added + std::max(nodes_[2 * node].most, nodes_[2 * node + 1].most);
    }

    std::int64_t first_;
    std::size_t count_;
    std::size_t leaves_ = 1;
    std::vector<Node> nodes_;
};

}  // namespace ingot::memory
