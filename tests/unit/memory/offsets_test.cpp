// The planners of one arena, against their definitions.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>

#include "memory/offsets.h"
#include "support/arithmetic.h"
#include "unit/memory/fixed_seed.h"

namespace ingot::memory {
namespace {

using Buffers = std::vector<Buffer>;

rc::Gen<Buffers> random_buffers() {
    return rc::gen::container<Buffers>(rc::gen::map(
        rc::gen::tuple(rc::gen::inRange(1, 200), rc::gen::inRange(-1, 30), rc::gen::inRange(0, 12)),
        [](const std::tuple<int, int, int>& t) {
            const auto& [size, first, length] = t;
            return Buffer{static_cast<std::size_t>(size), {first, first + length}};
        }));
}

OffsetProblem problem(Buffers buffers, std::size_t alignment) {
    return {std::move(buffers), {}, alignment};
}

void expect_valid(const Buffers& buffers, const Offsets& plan, std::size_t alignment) {
    RC_ASSERT(plan.offsets.size() == buffers.size());
    std::size_t height = 0;
    for (std::size_t a = 0; a < buffers.size(); ++a) {
        RC_ASSERT(plan.offsets[a] % alignment == 0U);
        const std::size_t end_a = plan.offsets[a] + buffers[a].size;
        height = std::max(height, end_a);
        for (std::size_t b = 0; b < a; ++b) {
            if (!buffers[a].lifetime.overlaps(buffers[b].lifetime)) continue;
            const std::size_t end_b = plan.offsets[b] + buffers[b].size;
            RC_ASSERT(end_a <= plan.offsets[b] || end_b <= plan.offsets[a]);
        }
    }
    RC_ASSERT(plan.height == support::align_up(height, alignment));
}

// From the sentence that defines greedy, trying every offset.
std::vector<std::size_t> naive_greedy(const Buffers& buffers, std::size_t alignment) {
    std::vector<std::size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return buffers[a].size > buffers[b].size;
    });
    std::vector<std::size_t> offsets(buffers.size());
    std::vector<std::size_t> placed;
    for (std::size_t b : order) {
        std::size_t offset = 0;
        const auto taken = [&](std::size_t other) {
            return buffers[b].lifetime.overlaps(buffers[other].lifetime) &&
                   offset < offsets[other] + buffers[other].size &&
                   offsets[other] < offset + buffers[b].size;
        };
        while (std::any_of(placed.begin(), placed.end(), taken)) offset += alignment;
        offsets[b] = offset;
        placed.push_back(b);
    }
    return offsets;
}

std::size_t naive_bound(const Buffers& buffers, std::size_t alignment) {
    std::size_t bound = 0;
    for (const Buffer& at : buffers) {
        const Lifetime step{at.lifetime.first, at.lifetime.first};
        std::size_t live = 0;
        for (const Buffer& b : buffers) {
            if (b.lifetime.overlaps(step)) live += support::align_up(b.size, alignment);
        }
        bound = std::max(bound, live);
    }
    return bound;
}

TEST(Offsets, GreedyIsWhatItsDefinitionSays) {
    EXPECT_TRUE(rc::check([] {
        const Buffers buffers = *random_buffers();
        const Offsets greedy = plan_greedy(problem(buffers, 16));
        expect_valid(buffers, greedy, 16);
        RC_ASSERT(greedy.offsets == naive_greedy(buffers, 16));
    }));
}

TEST(Offsets, BoundIsTheMostBytesLiveInOneStep) {
    EXPECT_TRUE(rc::check([] {
        const Buffers buffers = *random_buffers();
        const std::size_t alignment = std::size_t{1} << *rc::gen::inRange(0, 7);
        RC_ASSERT(liveness_bound(problem(buffers, alignment)) == naive_bound(buffers, alignment));
    }));
}

TEST(Offsets, BestIsValidBetweenBoundAndGreedyAndRepeatable) {
    EXPECT_TRUE(rc::check([] {
        const Buffers buffers = *random_buffers();
        const std::size_t alignment = std::size_t{1} << *rc::gen::inRange(0, 6);
        const Offsets best = plan_best(problem(buffers, alignment), kUsual);
        expect_valid(buffers, best, alignment);
        const std::size_t bound = liveness_bound(problem(buffers, alignment));
        const Offsets greedy = plan_greedy(problem(buffers, alignment));
        RC_ASSERT(best.height >= bound);
        RC_ASSERT(best.height <= greedy.height);
        RC_ASSERT(!best.optimal() || best.height == bound);
        RC_ASSERT(best.offsets == plan_best(problem(buffers, alignment), kUsual).offsets);
    }));
}

TEST(Offsets, NothingToPlace) {
    EXPECT_EQ(plan_best(problem({}, 16), kUsual).height, 0U);
    EXPECT_EQ(plan_greedy(problem({}, 16)).height, 0U);
    EXPECT_EQ(liveness_bound(problem({}, 16)), 0U);
}

TEST(Offsets, GreedyBreaksTiesByDefinitionAndComparesSizesBeforeRounding) {
    // 10 and 12 both take 16 bytes, but 12 is the larger.
    const Buffers buffers = {{10, {0, 3}}, {12, {0, 3}}, {12, {1, 2}}};
    EXPECT_EQ(plan_greedy(problem(buffers, 16)).offsets, (std::vector<std::size_t>{32, 0, 16}));
}

TEST(Offsets, BestBeatsGreedyWhereLargestFirstGoesWrong) {
    // Greedy puts 32, then 24-byte buffers at both ends of time over it and leaves a hole.
    const Buffers buffers = {{32, {0, 1}}, {48, {1, 2}}, {64, {2, 3}}, {16, {0, 0}},
                             {48, {3, 4}}, {32, {4, 5}}, {64, {5, 6}}, {16, {0, 6}}};
    const Offsets best = plan_best(problem(buffers, 16), kUsual);
    EXPECT_TRUE(best.optimal());
    EXPECT_EQ(best.height, liveness_bound(problem(buffers, 16)));
    EXPECT_LT(best.height, plan_greedy(problem(buffers, 16)).height);
}

// A chain in which each operator's output is read by the next and now and then much later.
Buffers chain(std::size_t count) {
    Buffers buffers;
    for (std::size_t i = 0; i < count; ++i) {
        const auto first = static_cast<std::int64_t>(i);
        const std::size_t size = 16 * (1 + (i * 2654435761U) % 97);
        buffers.push_back({size, {first, first + (i % 10 == 0 ? 9 : 1)}});
    }
    return buffers;
}

TEST(Offsets, TenThousandBuffersStayWithinTheBudgetOfWork) {
    const Buffers buffers = chain(10'000);
    const Offsets best = plan_best(problem(buffers, 16), kUsual);
    EXPECT_LE(best.height, plan_greedy(problem(buffers, 16)).height);
    EXPECT_GE(best.height, liveness_bound(problem(buffers, 16)));
}

TEST(Offsets, ManyBuffersThatAreAllLiveTogetherAreOptimalAtOnce) {
    Buffers buffers;
    for (std::size_t i = 0; i < 3'000; ++i) buffers.push_back({1 + i % 500, {0, 9}});
    EXPECT_TRUE(plan_best(problem(buffers, 16), kUsual).optimal());
}

std::filesystem::path shared_folder() {
    const char* given = std::getenv("INGOT_SHARED");
    return given != nullptr ? std::filesystem::path(given)
                            : std::filesystem::path(INGOT_PROJECT_DIR) / ".." / "shared";
}

// Columns id, lower, upper, size; a buffer is live from lower up to, not including, upper.
Buffers read_instance(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    Buffers buffers;
    while (std::getline(file, line)) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream columns(line);
        std::string id;
        std::int64_t lower = 0;
        std::int64_t upper = 0;
        std::size_t size = 0;
        columns >> id >> lower >> upper >> size;
        buffers.push_back({size, {lower, upper - 1}});
    }
    return buffers;
}

TEST(Offsets, PublishedInstancesAreValidAndNoWorseThanGreedy) {
    const std::filesystem::path folder = shared_folder() / "planner";
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no planner instances";
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".csv") continue;
        const Buffers buffers = read_instance(entry.path());
        ASSERT_FALSE(buffers.empty()) << entry.path();
        const Offsets best = plan_best(problem(buffers, 1), kUsual);
        expect_valid(buffers, best, 1);
        EXPECT_LE(best.height, plan_greedy(problem(buffers, 1)).height) << entry.path();
        EXPECT_GE(best.height, liveness_bound(problem(buffers, 1))) << entry.path();
        RecordProperty(entry.path().stem().string(), std::to_string(best.height));
        ++count;
    }
    EXPECT_GT(count, 0U);
}

}  // namespace
}  // namespace ingot::memory
