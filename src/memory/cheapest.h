// Branch and bound for the choice of memories that costs least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "memory/assign.h"
#include "memory/first_fit.h"

namespace ingot::memory {

/// A choice laid out, and where that is too big.
struct Packed {
    MemoryPlan plan;
    std::vector<std::pair<std::size_t, std::uint64_t>> over;  ///< memory, bytes over its budget
    bool proven = false;  ///< no packing of this choice keeps the budgets
};

/// Lays choices out, and counts how often.
class Packing {
  public:
    Packing(const Problem& problem, const PlanOptions& options)
        : problem_(problem), options_(options) {}

    Packed pack(const Choices& choices);
    int packed() const { return packed_; }

  private:
    const Problem& problem_;
    const PlanOptions& options_;
    int packed_ = 0;
};

class Cheapest {
  public:
    /// Refers to all of them.
    Cheapest(const Problem& problem, const Prices& prices, const Freedom& freedom,
             Packing& packing);

    /// Replaces `found` by cheaper choices whose arenas keep the budgets as they are packed. What
    /// comes back is a price that no choice is below, unless it is `found` itself.
    double improve(std::optional<Assigned>& found);

  private:
    void order_by_price();
    void visit();
    double eviction(std::size_t memory) const;
    std::size_t pick(std::size_t memory, const Lifetime& needed) const;
    Lifetime peak(std::size_t memory) const;
    bool relieves(std::size_t item, const Lifetime& needed) const;
    std::size_t leaf();
    void move(std::size_t item, std::size_t from, std::size_t to);

    const Problem& problem_;
    const Prices& prices_;
    const Freedom& freedom_;
    Packing& packing_;
    /// By memory: free items whose first candidate takes bytes of it and that may go elsewhere,
    /// and what that costs at least; the cheapest for each byte first.
    std::vector<std::vector<std::pair<std::size_t, double>>> leaving_;

    // The node in the making: what isn't decided is in its first memory.
    Ledger ledger_;
    Choices choices_;
    std::vector<bool> decided_;
    double price_ = 0;

    std::optional<Assigned>* found_ = nullptr;
    double best_;                     ///< the price of `found`
    double open_;                     ///< the least price of what wasn't looked into
    int packings_ = 0;                ///< left
    mutable std::uint64_t work_ = 0;  ///< done
};

}  // namespace ingot::memory
