// Exact packing against all orders of small cases: distances, fixed buffers, own alignments.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include "memory/exact_minimum.h"
#include "memory/exact_search.h"
#include "memory/offsets.h"
#include "support/arithmetic.h"
#include "unit/memory/fixed_seed.h"

namespace ingot::memory {
namespace {

using Offset = std::size_t;

// What the lower of two buffers keeps between its beginning and the upper one's.
std::size_t distance(const OffsetProblem& problem, std::size_t lower, std::size_t upper) {
    for (const Distance& entry : problem.distances) {
        if (entry.lower == lower && entry.upper == upper) return entry.bytes;
    }
    return problem.buffers[lower].size;
}

bool apart(const OffsetProblem& problem, std::size_t a, Offset at_a, std::size_t b, Offset at_b) {
    return !problem.buffers[a].lifetime.overlaps(problem.buffers[b].lifetime) ||
           at_a + distance(problem, a, b) <= at_b || at_b + distance(problem, b, a) <= at_a;
}

bool valid(const OffsetProblem& problem, const Offsets& plan) {
    std::size_t height = 0;
    for (std::size_t a = 0; a < problem.buffers.size(); ++a) {
        const Buffer& buffer = problem.buffers[a];
        height = std::max(height, plan.offsets[a] + buffer.size);
        if (plan.offsets[a] % std::max(buffer.alignment, problem.alignment) != 0) return false;
        if (buffer.fixed && *buffer.fixed != plan.offsets[a]) return false;
        for (std::size_t b = 0; b < a; ++b) {
            if (!apart(problem, a, plan.offsets[a], b, plan.offsets[b])) return false;
        }
    }
    return plan.height == height;
}

// The least height over all orders in which each buffer takes the lowest offset that those before
// it leave: every packing can be pushed down into one of these.
std::size_t least_height(const OffsetProblem& problem) {
    std::vector<std::size_t> order(problem.buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::size_t least = std::numeric_limits<std::size_t>::max();
    do {
        std::vector<std::optional<Offset>> at;
        std::size_t height = 0;
        for (const Buffer& buffer : problem.buffers) {
            at.push_back(buffer.fixed);
            if (buffer.fixed) height = std::max(height, *buffer.fixed + buffer.size);
        }
        for (const std::size_t b : order) {
            const Buffer& buffer = problem.buffers[b];
            const auto blocked = [&](Offset offset) {
                for (std::size_t other = 0; other < at.size(); ++other) {
                    if (other != b && at[other] && !apart(problem, b, offset, other, *at[other])) {
                        return true;
                    }
                }
                return false;
            };
            if (buffer.fixed) continue;
            Offset offset = 0;
            while (blocked(offset)) offset += std::max(buffer.alignment, problem.alignment);
            at[b] = offset;
            height = std::max(height, offset + buffer.size);
        }
        least = std::min(least, height);
    } while (std::next_permutation(order.begin(), order.end()));
    return least;
}

int number(int low, int high) {
    return *rc::gen::inRange(low, high + 1);
}

// A buffer that dies where another begins may share bytes with it, as an operator's input and
// output do.
void add_distances(OffsetProblem& problem) {
    for (std::size_t a = 0; a < problem.buffers.size(); ++a) {
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            const Buffer& input = problem.buffers[a];
            const Buffer& output = problem.buffers[b];
            if (input.lifetime.last != output.lifetime.first ||
                input.lifetime.first == input.lifetime.last || number(0, 2) == 0) {
                continue;
            }
            const auto unit = static_cast<int>(problem.alignment);
            const auto within = [&](const Buffer& lower) {
                return static_cast<std::size_t>(unit *
                                                number(0, static_cast<int>(lower.size) / unit));
            };
            problem.distances.push_back({b, a, within(output)});
            if (number(0, 1) == 0) problem.distances.push_back({a, b, within(input)});
        }
    }
}

OffsetProblem random_problem(std::size_t most, bool distances) {
    OffsetProblem problem;
    problem.alignment = number(0, 1) == 0 ? 1 : 4;
    const int count = number(0, static_cast<int>(most));
    for (int i = 0; i < count; ++i) {
        const int first = number(0, 6);
        Buffer buffer;
        buffer.size = problem.alignment * static_cast<std::size_t>(number(1, 9));
        buffer.lifetime = {first, first + number(0, 3)};
        problem.buffers.push_back(buffer);
    }
    if (distances) add_distances(problem);
    return problem;
}

// Gives some buffers an alignment of their own, or an offset where nothing is in the way.
void pin(OffsetProblem& problem) {
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        Buffer& buffer = problem.buffers[b];
        if (number(0, 3) == 0) buffer.alignment = 8;
        if (number(0, 3) != 0) continue;
        const std::size_t offset = 8 * static_cast<std::size_t>(number(0, 6));
        const auto in_the_way = [&](std::size_t other) {
            return other != b && problem.buffers[other].fixed &&
                   !apart(problem, b, offset, other, *problem.buffers[other].fixed);
        };
        bool free = true;
        for (std::size_t other = 0; other < problem.buffers.size(); ++other) {
            free = free && !in_the_way(other);
        }
        if (free) buffer.fixed = offset;
    }
}

void expect_least(const OffsetProblem& problem) {
    const std::size_t least = least_height(problem);
    const Offsets best = plan_best(problem, kThorough);
    RC_ASSERT(valid(problem, best));
    RC_ASSERT(best.height == (problem.buffers.empty() ? 0 : least));
    RC_ASSERT(best.lower_bound <= best.height);
    RC_ASSERT(overlap_bound(problem) <= liveness_bound(problem));
    RC_ASSERT(overlap_bound(problem) <= best.height);
    if (problem.buffers.empty()) return;
    // The search alone, without what heuristics found before.
    ExactSearch search(problem);
    RC_ASSERT(search.pack(least, 1'000'000, 10'000'000) == ExactSearch::Verdict::found);
    RC_ASSERT(search.pack(least - 1, 1'000'000, 10'000'000) == ExactSearch::Verdict::impossible);
}

TEST(Exact, IsTheLeastOfAllOrders) {
    EXPECT_TRUE(rc::check([] { expect_least(random_problem(7, false)); }));
}

TEST(Exact, IsTheLeastOfAllOrdersWhereBuffersMayShareBytes) {
    EXPECT_TRUE(rc::check([] { expect_least(random_problem(6, true)); }));
}

TEST(Exact, IsTheLeastOfAllOrdersAroundFixedAndAlignedBuffers) {
    EXPECT_TRUE(rc::check([] {
        OffsetProblem problem = random_problem(6, number(0, 1) == 0);
        pin(problem);
        expect_least(problem);
    }));
}

TEST(Exact, LearntOrdersAndNoiseChangeNoVerdict) {
    EXPECT_TRUE(rc::check([] {
        const OffsetProblem problem = random_problem(7, true);
        if (problem.buffers.empty()) return;
        const std::size_t least = least_height(problem);
        ExactSearch search(problem);
        using Key = ExactSearch::Key;
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            search.set_order({Key::failure_volume, Key::failures, Key::area}, 0.9, seed);
            RC_ASSERT(search.pack(least - 1, 1'000'000, 10'000'000) ==
                      ExactSearch::Verdict::impossible);
            RC_ASSERT(search.pack(least, 1'000'000, 10'000'000) == ExactSearch::Verdict::found);
        }
    }));
}

TEST(Exact, NeverAboveGreedyAndRepeatableWithoutPins) {
    EXPECT_TRUE(rc::check([] {
        const OffsetProblem problem = random_problem(25, true);
        constexpr Effort kLittle{100'000, 50'000};
        const Offsets best = plan_best(problem, kLittle);
        RC_ASSERT(valid(problem, best));
        RC_ASSERT(best.height <= plan_greedy(problem).height);
        RC_ASSERT(best.offsets == plan_best(problem, kLittle).offsets);
    }));
}

TEST(Exact, TheBudgetEndsTheSearchWithWhatItHas) {
    OffsetProblem problem;
    for (std::size_t i = 0; i < 60; ++i) {
        const auto first = static_cast<std::int64_t>((i * 37) % 41);
        problem.buffers.push_back({10 + (i * 7919) % 97, {first, first + 5 + std::int64_t(i % 9)}});
    }
    ExactSearch search(problem);
    EXPECT_EQ(search.pack(search.bound(), 1, 1'000'000), ExactSearch::Verdict::unknown);
    EXPECT_EQ(search.nodes(), 2U);
    const Offsets plan = plan_best(problem, {100'000, 5'000});
    EXPECT_TRUE(valid(problem, plan));
}

TEST(Exact, FixedBuffersInEachOthersWayAreAFault) {
    OffsetProblem problem;
    problem.buffers = {{16, {0, 3}, 1, 0}, {16, {2, 4}, 1, 8}};
    EXPECT_THROW(plan_best(problem, kUsual), std::logic_error);
}

}  // namespace
}  // namespace ingot::memory
