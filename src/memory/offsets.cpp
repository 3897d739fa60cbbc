// The planners of one arena: greedy, and the best of many orders.
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "memory/exact_minimum.h"
#include "memory/offsets.h"
#include "memory/packing.h"

namespace ingot::memory {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

constexpr int kRounds = 400;  // repairs of one order

using Order = std::vector<std::size_t>;

// Ascending by key; among equals the earlier buffer first.
template <typename Key>
Order sorted(const Packer& packer, const Key& key) {
    Order order(packer.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    return order;
}

Order largest_first(const Packer& packer) {
    return sorted(packer, [&](std::size_t b) { return -static_cast<double>(packer.size(b)); });
}

double length(const Packer& packer, std::size_t b) {
    const Lifetime& lifetime = packer.lifetime(b);
    return static_cast<double>(lifetime.last - lifetime.first) + 1.0;
}

// How far a buffer's life is from the step where most is live; 0 when it is live then.
double distance_from_peak(const Packer& packer, std::size_t b) {
    const std::int64_t peak = packer.peak_step();
    const Lifetime& lifetime = packer.lifetime(b);
    if (lifetime.first > peak) return static_cast<double>(lifetime.first - peak);
    if (lifetime.last < peak) return static_cast<double>(peak - lifetime.last);
    return 0.0;
}

std::vector<Order> orders(const Packer& packer) {
    const auto size = [&](std::size_t b) { return static_cast<double>(packer.size(b)); };
    const auto tight = [&](std::size_t b) { return static_cast<double>(packer.pressure()[b]); };
    return {
        largest_first(packer),
        sorted(packer, [&](auto b) { return -size(b) * length(packer, b); }),
        sorted(packer, [&](auto b) { return std::make_pair(-length(packer, b), -size(b)); }),
        // From the peak outwards: the critical step is packed tight before anything disturbs it.
        sorted(packer,
               [&](auto b) { return std::make_pair(distance_from_peak(packer, b), -size(b)); }),
        sorted(packer,
               [&](auto b) {
                   return std::make_pair(distance_from_peak(packer, b), -length(packer, b));
               }),
        // The steps nearest to the lower bound first.
        sorted(packer, [&](auto b) { return std::make_pair(-tight(b), -size(b)); }),
        sorted(packer, [&](auto b) { return std::make_pair(-tight(b), -length(packer, b)); }),
        // In the order of time.
        sorted(packer,
               [&](auto b) {
                   return std::make_pair(static_cast<double>(packer.lifetime(b).first), -size(b));
               }),
    };
}

// Repairs an order: buffers that end above the bound move to the front, and the order is packed
// again ("squeaky wheel"). Their claims add up over the rounds, so that it settles.
void repair(Packer& packer, Order order, std::uint64_t work_limit, Offsets& best) {
    std::vector<std::size_t> claim(packer.count(), 0);
    for (int round = 0; round < kRounds && packer.work() < work_limit; ++round) {
        const Offsets tried = packer.place(order, Fit::lowest, kNoLimit);
        if (tried.height < best.height) best = tried;
        if (best.optimal()) return;
        for (std::size_t b = 0; b < packer.count(); ++b) {
            const std::size_t top = tried.offsets[b] + packer.size(b);
            if (top > packer.bound()) claim[b] += top == tried.height ? 2 : 1;
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return claim[a] > claim[b]; });
    }
}

// The best of all orders and fits, then of repairs of each, within `work` neighbours.
void improve(Packer& packer, std::uint64_t work, Offsets& best) {
    const std::vector<Order> all = orders(packer);
    for (const Order& order : all) {
        for (Fit fit : {Fit::lowest, Fit::tightest}) {
            if (best.optimal() || packer.work() >= work) return;
            Offsets tried = packer.place(order, fit, best.height);
            if (tried.height < best.height) best = std::move(tried);
        }
    }
    for (std::size_t i = 0; i < all.size() && !best.optimal(); ++i) {
        const std::uint64_t share = (work - std::min(work, packer.work())) / (all.size() - i);
        repair(packer, all[i], packer.work() + share, best);
    }
}

Offsets greedy(Packer& packer, const std::vector<Buffer>& buffers) {
    // By the size itself: rounding up would make ties of sizes that differ.
    const Order order =
        sorted(packer, [&](std::size_t b) { return -static_cast<double>(buffers[b].size); });
    return packer.place(order, Fit::lowest, kNoLimit);
}

}  // namespace

Offsets plan_greedy(const OffsetProblem& problem) {
    OffsetProblem plain = problem;
    plain.distances.clear();
    for (Buffer& buffer : plain.buffers) buffer.fixed.reset();
    Packer packer(plain);
    return greedy(packer, plain.buffers);
}

Offsets plan_best(const OffsetProblem& problem, const Effort& effort) {
    Packer packer(problem);
    Offsets best = greedy(packer, problem.buffers);
    const bool none_fixed = std::none_of(problem.buffers.begin(), problem.buffers.end(),
                                         [](const Buffer& b) { return b.fixed.has_value(); });
    if (none_fixed && !problem.distances.empty()) {
        Offsets plain = plan_greedy(problem);
        plain.lower_bound = best.lower_bound;
        if (plain.height < best.height) best = std::move(plain);
    }
    improve(packer, effort.neighbours, best);
    improve_exactly(problem, effort.open, best);
    return best;
}

}  // namespace ingot::memory
