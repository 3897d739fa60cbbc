// The order of steps: against every order that there is, and on graphs where it matters.
#include "memory/order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fixed_seed.h"
#include "memory/items.h"
#include "memory/overlaps.h"
#include "order_programs.h"
#include "programs.h"
#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

using program::Program;
using program::Step;
using testing::Builder;

using Steps = std::vector<std::size_t>;

Steps model_order(const Program& program) {
    Steps steps(program.steps.size());
    std::iota(steps.begin(), steps.end(), std::size_t{0});
    return steps;
}

// What an order needs, from what the planner says of the program in that order.
std::size_t peak_of(const Program& program, bool inputs_overwritable) {
    const std::vector<Item> all = items(program, lifetimes(program, inputs_overwritable));
    std::map<std::size_t, std::vector<ItemOverlap>> by_step;
    for (const ItemOverlap& overlap : overlaps(program, all)) {
        by_step[overlap.step].push_back(overlap);
    }
    std::size_t most = 0;
    const auto steps = static_cast<std::int64_t>(program.steps.size());
    for (std::int64_t s = -1; s <= steps; ++s) {
        std::size_t live = 0;
        for (const Item& item : all) {
            if (item.role != Role::scratch || item.lifetime.first > s || item.lifetime.last < s) {
                continue;
            }
            live += support::align_up(item.size, kTensorAlignment);
        }
        const auto shared = by_step.find(static_cast<std::size_t>(s));
        if (shared != by_step.end()) live -= shared_bytes(shared->second, all);
        most = std::max(most, live);
    }
    return most;
}

bool same_bytes(const Program& program, TensorId a, TensorId b) {
    if (program.root(a) != program.root(b)) return false;
    const std::size_t from_a = program.root_offset(a);
    const std::size_t from_b = program.root_offset(b);
    return from_a < from_b + program.tensor(b).size && from_b < from_a + program.tensor(a).size;
}

bool writes(const Step& step, TensorId id) {
    return std::any_of(step.writes.begin(), step.writes.end(),
                       [&](const program::Access& write) { return write.tensor == id; });
}

// Whether `second` writes bytes that `first` writes or reads. A view writes none.
bool disturbs(const Program& program, const Step& first, const Step& second) {
    for (const program::Access& write : second.writes) {
        if (second.is_view()) break;
        for (const auto* accesses : {&first.reads, &first.writes}) {
            for (const program::Access& access : *accesses) {
                if (same_bytes(program, access.tensor, write.tensor)) return true;
            }
        }
    }
    return false;
}

// Whether the order of two steps of the model must stay.
bool bound(const Program& program, std::size_t first, std::size_t second) {
    const Step& a = program.steps[first];
    const Step& b = program.steps[second];
    if (a.custom && b.custom) return true;
    if (disturbs(program, a, b) || disturbs(program, b, a)) return true;
    for (const program::Access& read : b.reads) {
        if (!writes(a, read.tensor)) continue;
        bool earlier = false;
        for (std::size_t s = 0; s < first; ++s) {
            earlier = earlier || writes(program.steps[s], read.tensor);
        }
        if (!earlier) return true;
    }
    return false;
}

bool allowed(const Program& program, const Steps& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = i + 1; j < order.size(); ++j) {
            if (order[j] < order[i] && bound(program, order[j], order[i])) return false;
        }
    }
    return true;
}

// Calls `visit` with every order that is allowed.
void every_order(const Program& program, const std::function<void(const Steps&)>& visit) {
    const std::size_t count = program.steps.size();
    std::vector<std::vector<bool>> before(count, std::vector<bool>(count, false));
    for (std::size_t j = 0; j < count; ++j) {
        for (std::size_t i = 0; i < j; ++i) before[i][j] = bound(program, i, j);
    }
    Steps order;
    std::vector<bool> taken(count, false);
    const std::function<void()> extend = [&] {
        if (order.size() == count) return visit(order);
        for (std::size_t s = 0; s < count; ++s) {
            bool free = !taken[s];
            for (std::size_t b = 0; b < s; ++b) free = free && (taken[b] || !before[b][s]);
            if (!free) continue;
            taken[s] = true;
            order.push_back(s);
            extend();
            order.pop_back();
            taken[s] = false;
        }
    };
    extend();
}

std::size_t least_peak(const Program& program, bool inputs_overwritable) {
    std::optional<std::size_t> least;
    every_order(program, [&](const Steps& order) {
        const std::size_t peak = peak_of(reordered(program, order), inputs_overwritable);
        least = std::min(least.value_or(peak), peak);
    });
    return *least;
}

RC_GTEST_PROP(Order, AgreesWithEveryOrderThereIs, ()) {
    const Program program = testing::random_program();
    const bool overwritable = *rc::gen::arbitrary<bool>();
    const Order order = best_order(program, overwritable);
    RC_ASSERT(allowed(program, order.steps));
    const Program result = reordered(program, order.steps);
    program::verify(result);
    const std::size_t least = least_peak(program, overwritable);
    RC_ASSERT(order.model_peak == peak_of(program, overwritable));
    RC_ASSERT(order.peak == peak_of(result, overwritable));
    RC_ASSERT(order.peak == least);
    RC_ASSERT(order.optimal());
    if (order.model_peak == least) RC_ASSERT(order.steps == model_order(program));
}

RC_GTEST_PROP(Order, BeamSearchIsNeverWorseThanTheModel, ()) {
    const Program program = testing::random_program();
    const OrderEffort beam_only{0, *rc::gen::inRange<std::size_t>(0, 200), 4};
    const Order order = best_order(program, true, beam_only);
    RC_ASSERT(allowed(program, order.steps));
    RC_ASSERT(order.peak == peak_of(reordered(program, order.steps), true));
    RC_ASSERT(order.peak <= order.model_peak);
    RC_ASSERT(order.lower_bound <= least_peak(program, true));
    if (!order.improves()) RC_ASSERT(order.steps == model_order(program));
}

// An order that is better, by how much, and that it is one.
void expect_gain(const Program& program, std::size_t model_peak, std::size_t peak) {
    const Order order = best_order(program, true);
    EXPECT_EQ(order.model_peak, model_peak);
    EXPECT_EQ(order.peak, peak);
    EXPECT_TRUE(allowed(program, order.steps));
    EXPECT_EQ(peak_of(program, true), model_peak);
    EXPECT_EQ(peak_of(reordered(program, order.steps), true), peak);
}

TEST(Order, TakesBranchesOfAnInceptionModuleOneByOne) {
    // In the model's order the pooled input waits while the wide convolution runs.
    expect_gain(testing::inception(), 439040, 401408);
    EXPECT_TRUE(best_order(testing::inception(), true).optimal());
}

TEST(Order, ReducesSearchedCellsEdgeByEdge) {
    expect_gain(testing::searched_cells(1), 40960, 32768);
    expect_gain(testing::searched_cells(20), 45056, 36864);
    EXPECT_TRUE(best_order(testing::searched_cells(20), true).optimal());
}

TEST(Order, SavesInRandomWiring) {
    expect_gain(testing::random_wiring(32, 5), 29696, 23552);
    EXPECT_TRUE(best_order(testing::random_wiring(32, 5), true).optimal());
    // Too large for proof: the beam's order and what is known of the least.
    expect_gain(testing::random_wiring(100, 2), 76800, 56320);
    EXPECT_FALSE(best_order(testing::random_wiring(100, 2), true).optimal());
}

TEST(Order, CopesWithTenThousandSteps) {
    // A chain has one order, and its dividing steps say so without a search.
    const Order chain = best_order(testing::skipping_chain(10000, 500), true);
    EXPECT_EQ(chain.states, 0U);
    EXPECT_TRUE(chain.optimal());
    // All branches but one are narrow when that one is wide.
    const Order order = best_order(testing::branches(64, 156), true);
    EXPECT_EQ(order.model_peak, 64U * 4096 + 64);
    EXPECT_EQ(order.peak, 4096U + 64 * 64);
}

TEST(Order, IsTheSameEveryTime) {
    for (const Program& program : {testing::random_wiring(32, 5), testing::random_wiring(100, 2)}) {
        EXPECT_EQ(best_order(program, true).steps, best_order(program, true).steps);
    }
}

TEST(Order, OfNothingIsNothing) {
    Program program;
    EXPECT_TRUE(best_order(program, true).optimal());
    Builder pass;
    pass.program.inputs = {pass.activation(40)};
    pass.program.outputs = pass.program.inputs;
    EXPECT_EQ(best_order(pass.program, true).peak, 48U);
}

TEST(Order, RefusesWhatIsNoOrder) {
    const Program program = testing::inception();
    EXPECT_THROW(reordered(program, {0, 0}), std::logic_error);
    EXPECT_THROW(reordered(program, {0}), std::logic_error);
}

}  // namespace
}  // namespace ingot::memory
