#include "memory/exact_minimum.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "memory/exact_search.h"
#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

using Key = ExactSearch::Key;
using Keys = std::array<Key, 3>;

// How one attempt orders buffers. Found by trying on the published instances (bench/README.md).
struct Attempt {
    std::array<Key, 3> keys;
    double noise;
};
constexpr std::array<Attempt, 2> kFirst = {{
    {{Key::pressure, Key::length, Key::area}, 0.0},
    {{Key::pressure, Key::area, Key::length}, 0.0},
}};
// Then again and again: most learn where searches failed, all are disturbed at random.
constexpr std::array<Attempt, 4> kLater = {{
    {{Key::failure_volume, Key::area, Key::length}, 0.3},
    {{Key::area, Key::length, Key::pressure}, 0.5},
    {{Key::failure_volume, Key::area, Key::length}, 0.6},
    {{Key::failures, Key::area, Key::length}, 0.3},
}};

// Few: another order does more than more patience.
constexpr std::uint64_t kAttemptNodes = 3000;
constexpr std::uint64_t kNodesPerBuffer = 12;
constexpr std::size_t kFailuresPerHalving = 8;  // of the way to the bound that is tried at once

class Minimum {
  public:
    Minimum(const OffsetProblem& problem, Offsets& best)
        : problem_(problem), search_(problem), best_(best) {
        best_.lower_bound = std::max(best_.lower_bound, search_.bound());
    }

    // Every order is tried twice: at the bound itself, and part of the way there.
    void run(std::uint64_t open) {
        for (std::size_t attempt = 0; !best_.optimal() && search_.open() < open; ++attempt) {
            const std::size_t n = attempt / 2;
            const Attempt& order = n < kFirst.size() ? kFirst[n] : kLater[n % kLater.size()];
            search_.set_order(order.keys, order.noise, attempt);
            const bool at_bound = attempt % 2 == 0;
            attempt_at(at_bound ? best_.lower_bound : part_of_the_way(), open - search_.open());
        }
        best_.nodes = search_.nodes();
    }

  private:
    std::size_t part_of_the_way() const {
        const std::size_t steps = (best_.height - best_.lower_bound) / search_.granularity();
        const std::size_t halvings = std::min<std::size_t>(1 + failures_ / kFailuresPerHalving, 60);
        return best_.height - std::max<std::size_t>(1, steps >> halvings) * search_.granularity();
    }

    void attempt_at(std::size_t target, std::uint64_t open) {
        const std::uint64_t nodes =
            std::max<std::uint64_t>(kAttemptNodes, kNodesPerBuffer * problem_.buffers.size());
        switch (search_.pack(target, nodes, open)) {
            case ExactSearch::Verdict::found:
                failures_ = 0;
                keep();
                break;
            case ExactSearch::Verdict::impossible:
                best_.lower_bound = std::min(best_.height, target + search_.granularity());
                break;
            case ExactSearch::Verdict::unknown:
                ++failures_;
        }
    }

    void keep() {
        best_.offsets = search_.offsets();
        best_.height = 0;
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            const std::size_t size =
                support::align_up(problem_.buffers[b].size, problem_.alignment);
            best_.height = std::max(best_.height, best_.offsets[b] + size);
        }
    }

    const OffsetProblem& problem_;
    ExactSearch search_;
    Offsets& best_;
    std::size_t failures_ = 0;  // since the last packing found
};

}  // namespace

void improve_exactly(const OffsetProblem& problem, std::uint64_t open, Offsets& best) {
    if (open == 0 || best.optimal()) return;
    Minimum(problem, best).run(open);
}

}  // namespace ingot::memory
