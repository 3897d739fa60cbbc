// Several memories: the choice that costs least, against every choice there is.
#include "memory/assign.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>

#include "memory/overlaps.h"
#include "memory/regions.h"
#include "support/diagnostics.h"
#include "unit/memory/fixed_seed.h"
#include "unit/memory/programs.h"

namespace ingot::memory {
namespace {

using support::Diagnostics;
using support::Failure;
using testing::Builder;
using testing::memory;
using testing::rule;

std::uint64_t used(const MemoryPlan& plan, const std::string& memory) {
    std::uint64_t sum = 0;
    for (const Region& region : plan.regions) {
        if (region.memory == memory || region.source_memory == memory) sum += region.size;
    }
    return sum;
}

bool keeps_budgets(const MemoryPlan& plan, const platforms::Platform& platform) {
    return std::all_of(platform.memories.begin(), platform.memories.end(),
                       [&](const auto& m) { return !m.size || used(plan, m.name) <= *m.size; });
}

// What planning works on, for laying out choices of the test's own.
struct Ground {
    const program::Program& program;
    const platforms::Platform& platform;
    PlanOptions options;
    Diagnostics diagnostics;
    std::vector<Lifetime> lives = lifetimes(program, true);
    std::vector<Item> all = items(program, lives);
    std::vector<Wish> wishes = resolve(program, all, platform, options, diagnostics);
    Problem problem{program,
                    platform,
                    all,
                    wishes,
                    budgets(platform, {}, false),
                    overlaps(program, all),
                    equal_contents(program, all)};
};

// The least cost of all choices whose arenas, packed, keep the budgets; infinite when none does.
double least_cost(const Ground& ground) {
    const std::vector<Wish>& wishes = ground.wishes;
    double least = std::numeric_limits<double>::infinity();
    Choices choices(wishes.size(), 0);
    for (;;) {
        const double price = costs(ground.problem, choices).cost;
        if (price < least &&
            keeps_budgets(lay_out(ground.problem, choices, ground.options), ground.platform)) {
            least = price;
        }
        std::size_t i = 0;
        while (i < choices.size() && ++choices[i] == wishes[i].candidates.size()) choices[i++] = 0;
        if (i == choices.size()) return least;
    }
}

// A chain with a branch now and then, operators that may overwrite their input, and weights that
// may be in each memory or staged.
Builder random_program() {
    Builder b;
    const auto size = [] { return 16 * static_cast<std::size_t>(*rc::gen::inRange(1, 12)); };
    std::vector<TensorId> made = {b.activation(size())};
    b.program.inputs = made;
    const int steps = *rc::gen::inRange(1, 5);
    for (int s = 0; s < steps; ++s) {
        const TensorId from = *rc::gen::inRange(0, 3) == 0 ? made.front() : made.back();
        const TensorId to = b.activation(size());
        std::vector<TensorId> weights;
        if (*rc::gen::inRange(0, 2) == 0) weights = {b.weights(size(), *rc::gen::inRange(0, 3))};
        program::Step& step = b.step("CONV_2D", {from}, {to}, weights);
        step.reads[0].touched_bytes *= static_cast<std::uint64_t>(*rc::gen::inRange(0, 5));
        if (!weights.empty()) {
            step.constants[0].touched_bytes *= static_cast<std::uint64_t>(*rc::gen::inRange(0, 9));
        }
        if (*rc::gen::inRange(0, 2) == 0) {
            step.overlaps.push_back({from, to, 16 * *rc::gen::inRange(0, 4), std::nullopt});
        }
        made.push_back(to);
    }
    b.program.outputs = {made.back()};
    return b;
}

platforms::Platform random_platform() {
    platforms::Platform platform =
        testing::small_platform(16 * static_cast<std::uint64_t>(*rc::gen::inRange(0, 40)),
                                16 * static_cast<std::uint64_t>(*rc::gen::inRange(0, 40)),
                                16 * static_cast<std::uint64_t>(*rc::gen::inRange(0, 40)));
    platform.order[2] = {"fast", "flash"};
    return platform;
}

TEST(Assign, IsAsCheapAsTheCheapestOfAllChoices) {
    EXPECT_TRUE(rc::check([] {
        const Builder b = random_program();
        const platforms::Platform platform = random_platform();
        PlanOptions options;
        if (*rc::gen::inRange(0, 3) == 0) {
            options.memory.tensors = {rule(1, "CONSTANT", {}, {"flash"})};
            options.memory.tensors[0].constant_destination_memory = {"auto"};
        }
        Ground ground{b.program, platform, options, {}};
        const double least = least_cost(ground);
        Diagnostics diagnostics;
        try {
            const MemoryPlan p = plan(b.program, platform, options, diagnostics);
            verify(b.program, p);
            RC_TAG(p.assignment.cost > p.assignment.fastest ? "spills" : "all fast");
            RC_ASSERT(keeps_budgets(p, platform));
            RC_ASSERT(p.assignment.cost == least);
            RC_ASSERT(p.assignment.optimal());
        } catch (const Failure&) {
            RC_TAG("refused");
            RC_ASSERT(least == std::numeric_limits<double>::infinity());
        }
    }));
}

// For scratch it is the bound with overlap, for all else the size.
TEST(Assign, TheLedgerIsNeverAboveThePackedArenas) {
    EXPECT_TRUE(rc::check([] {
        const Builder b = random_program();
        const platforms::Platform platform = random_platform();
        Ground ground{b.program, platform, {}, {}};
        Ledger ledger(ground.problem);
        Choices choices;
        for (const Wish& wish : ground.wishes) {
            choices.push_back(
                *rc::gen::inRange<std::size_t>(std::size_t{0}, wish.candidates.size()));
        }
        // In any order, and back and forth.
        for (std::size_t i = choices.size(); i-- > 0;) {
            ledger.add(i, ground.wishes[i].candidates[choices[i]]);
        }
        for (std::size_t i = 0; i < choices.size(); i += 2) {
            ledger.remove(i, ground.wishes[i].candidates[choices[i]]);
            ledger.add(i, ground.wishes[i].candidates[choices[i]]);
        }
        const MemoryPlan laid_out = lay_out(ground.problem, choices, {});
        for (std::size_t m = 0; m < platform.memories.size(); ++m) {
            std::uint64_t bound = 0;
            for (const Region& region : laid_out.regions) {
                if (region.memory != platform.memories[m].name &&
                    region.source_memory != platform.memories[m].name) {
                    continue;
                }
                bound += region.role == Role::scratch ? region.overlap_lower_bound : region.size;
            }
            RC_ASSERT(ledger.used(m) == bound);
            RC_ASSERT(ledger.used(m) <= used(laid_out, platform.memories[m].name));
        }
    }));
}

// --- What a budget makes of a model ---

// 60 kB → 80 kB → 20 kB → …: 140 kB at the first operator.
struct Peak140 {
    Builder b;
    TensorId in = b.activation(60 * 1024);
    TensorId wide = b.activation(80 * 1024);
    TensorId narrow = b.activation(20 * 1024);
    TensorId out = b.activation(1024);
    platforms::Platform platform;
    PlanOptions options;
    Diagnostics diagnostics;

    Peak140() {
        b.program.inputs = {in};
        b.program.outputs = {out};
        b.step("CONV_2D", {in}, {wide});
        b.step("DEPTHWISE_CONV_2D", {wide}, {narrow}).reads[0].touched_bytes *= 9;
        b.step("FULLY_CONNECTED", {narrow}, {out});
        platform.name = "small";
        platform.cpu = "cortex-m4";
        platform.memories = {memory("sram", 128 * 1024, true, 1.0),
                             memory("psram", 1024 * 1024, true, 8.0)};
        platform.order = {std::vector<std::string>{"sram", "psram"}, {"sram", "psram"}, {"psram"}};
    }
};

TEST(Cases, APeakOf140KBIn128KBAndExternalRam) {
    Peak140 t;
    const MemoryPlan p = plan(t.b.program, t.platform, t.options, t.diagnostics);
    verify(t.b.program, p);
    EXPECT_TRUE(keeps_budgets(p, t.platform));
    // The input is touched once, what it becomes ten times.
    EXPECT_EQ(p.regions[p.placements[t.in]->region].memory, "psram");
    EXPECT_EQ(p.regions[p.placements[t.wide]->region].memory, "sram");
    EXPECT_TRUE(p.assignment.optimal());
    const double touched = 60 * 1024 + 80 * 1024 * 10 + 20 * 1024 * 2 + 1024;
    EXPECT_EQ(p.assignment.fastest, touched);
    EXPECT_EQ(p.assignment.cost, touched + 60 * 1024 * 7);
    const Decision& decision = p.decisions[t.in];
    EXPECT_EQ(decision.spilled_from, "sram");
    EXPECT_EQ(decision.touched_bytes, 60U * 1024);
    EXPECT_EQ(decision.wanted_cost, 60 * 1024);
    EXPECT_EQ(decision.cost, 60 * 1024 * 8);
    EXPECT_EQ(decision.bound_by, "sram");
    EXPECT_EQ(decision.over_by, 12U * 1024);
}

TEST(Cases, NothingSpillsThatFitsOnlyBecauseAnOutputLiesOverItsInput) {
    Peak140 t;
    // The first operator may begin to write 16 kB below what it reads.
    t.b.program.steps[0].overlaps = {{t.in, t.wide, 16 * 1024, std::nullopt}};
    const MemoryPlan p = plan(t.b.program, t.platform, t.options, t.diagnostics);
    verify(t.b.program, p);
    EXPECT_EQ(p.regions[p.placements[t.in]->region].memory, "sram");
    EXPECT_EQ(p.assignment.cost, p.assignment.fastest);
    // Planner greedy lays nothing over anything.
    t.options.memory.planner = config::Planner::greedy;
    const MemoryPlan greedy = plan(t.b.program, t.platform, t.options, t.diagnostics);
    verify(t.b.program, greedy);
    EXPECT_TRUE(keeps_budgets(greedy, t.platform));
    EXPECT_EQ(greedy.regions[greedy.placements[t.in]->region].memory, "psram");
}

// Six layers with 50 kB of weights each, the later ones read more often.
struct Weights300 {
    Builder b;
    std::vector<TensorId> weights;
    platforms::Platform platform;
    PlanOptions options;
    Diagnostics diagnostics;

    Weights300() {
        TensorId last = b.activation(4096);
        b.program.inputs = {last};
        for (int layer = 0; layer < 6; ++layer) {
            const TensorId next = b.activation(4096);
            weights.push_back(b.weights(50 * 1024, layer));
            b.step("CONV_2D", {last}, {next}, {weights.back()}).constants[0].touched_bytes *=
                static_cast<std::uint64_t>(1 + layer);
            last = next;
        }
        b.program.outputs = {last};
        platform.name = "small";
        platform.cpu = "cortex-m55";
        platform.memories = {memory("dtcm", 240 * 1024, true, 1.0),
                             memory("mram", 4096 * 1024, false, 4.0)};
        platform.order = {std::vector<std::string>{"dtcm"}, {"dtcm"}, {"dtcm", "mram"}};
    }
    std::size_t in_dtcm(const MemoryPlan& p) const {
        return static_cast<std::size_t>(std::count_if(
            weights.begin(), weights.end(),
            [&](TensorId id) { return p.regions[p.placements[id]->region].memory == "dtcm"; }));
    }
};

TEST(Cases, WeightsOf300KBWith240KBOfTightlyCoupledMemory) {
    Weights300 t;
    MemoryPlan p = plan(t.b.program, t.platform, t.options, t.diagnostics);
    verify(t.b.program, p);
    EXPECT_TRUE(keeps_budgets(p, t.platform));
    EXPECT_TRUE(p.assignment.optimal());
    EXPECT_EQ(t.in_dtcm(p), 4U);  // 8 kB of scratch and 200 kB
    // The two that are read least stay in the slow memory: 1 and 2 times 50 kB.
    EXPECT_EQ(p.assignment.cost - p.assignment.fastest, 3 * (1 + 2) * 50 * 1024);
    EXPECT_EQ(p.decisions[t.weights[0]].spilled_from, "dtcm");
    EXPECT_EQ(p.decisions[t.weights[0]].over_by, (8 + 250 - 240) * 1024U);

    // The same bytes staged: all are stored in mram, and the same four are copied.
    t.options.memory.tensors = {rule(1, "CONSTANT", {}, {"mram"})};
    t.options.memory.tensors[0].constant_destination_memory = {"auto"};
    p = plan(t.b.program, t.platform, t.options, t.diagnostics);
    verify(t.b.program, p);
    EXPECT_TRUE(p.assignment.optimal());
    EXPECT_EQ(t.in_dtcm(p), 4U);
    EXPECT_EQ(used(p, "mram"), 300U * 1024);
    EXPECT_EQ(p.assignment.cost - p.assignment.fastest, 3 * (1 + 2) * 50 * 1024);
}

TEST(Cases, TightlyCoupledMemoryOf64KBBesideSram) {
    Builder b;
    TensorId last = b.activation(24 * 1024);
    b.program.inputs = {last};
    const std::size_t sizes[] = {96, 48, 40, 40, 20, 20, 10, 1};
    for (std::size_t kb : sizes) {
        const TensorId next = b.activation(kb * 1024);
        b.step("CONV_2D", {last}, {next}).reads[0].touched_bytes *= 4;
        b.scratch("scratch", 512);
        last = next;
    }
    b.program.outputs = {last};
    platforms::Platform platform;
    platform.name = "small";
    platform.cpu = "cortex-m7";
    platform.memories = {memory("dtcm", 64 * 1024, true, 1.0),
                         memory("sram", 700 * 1024, true, 2.0)};
    platform.order = {std::vector<std::string>{"dtcm", "sram"}, {"dtcm", "sram"}, {"sram"}};
    Diagnostics diagnostics;
    const MemoryPlan p = plan(b.program, platform, {}, diagnostics);
    verify(b.program, p);
    EXPECT_TRUE(keeps_budgets(p, platform));
    Ground ground{b.program, platform, {}, {}};
    EXPECT_TRUE(p.assignment.optimal());
    // 96 kB fits nowhere else; of 48 and 40, 40 and 40 one each must go.
    EXPECT_EQ(p.assignment.cost - p.assignment.fastest, (96 + 40) * 5 * 1024);
}

// A later memory of a list isn't taken for being faster: the list says what is preferred.
TEST(Assign, PreferenceStandsAboveCost) {
    Peak140 t;
    t.options.memory.tensors = {rule(1, "", {"0"}, {"psram", "sram"})};
    const MemoryPlan p = plan(t.b.program, t.platform, t.options, t.diagnostics);
    EXPECT_EQ(p.regions[p.placements[t.in]->region].memory, "psram");
    t.options.memory.constraints = {{"psram", 32 * 1024, {}}};
    t.platform.memories[0].size = 1024 * 1024;
    const MemoryPlan full = plan(t.b.program, t.platform, t.options, t.diagnostics);
    EXPECT_EQ(full.regions[full.placements[t.in]->region].memory, "sram");
    EXPECT_EQ(full.decisions[t.in].bound_by, "psram");
}

// More than can be searched through: the bound still says how far from the best it is at most.
TEST(Assign, ManyConstantsAreWithinAFewPercentOfTheBound) {
    Builder b;
    TensorId last = b.activation(64);
    b.program.inputs = {last};
    for (int s = 0; s < 400; ++s) {
        const TensorId next = b.activation(64);
        const TensorId w = b.weights(static_cast<std::size_t>(40 + (s * 7919) % 3001), s);
        b.step("CONV_2D", {last}, {next}, {w}).constants[0].touched_bytes *=
            static_cast<std::uint64_t>(1 + (s * 31) % 17);
        last = next;
    }
    b.program.outputs = {last};
    platforms::Platform platform = testing::small_platform(300'000, 0, 8'000'000);
    platform.order[2] = {"fast", "flash"};
    Diagnostics diagnostics;
    const MemoryPlan p = plan(b.program, platform, {}, diagnostics);
    verify(b.program, p);
    EXPECT_TRUE(keeps_budgets(p, platform));
    EXPECT_LE(p.assignment.gap, 0.001 * p.assignment.cost);
    EXPECT_GE(p.assignment.cost, p.assignment.fastest);
}

}  // namespace
}  // namespace ingot::memory
