// Lifetimes, arenas, constants' layout, and what verify refuses.
#include "memory/plan.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "unit/memory/programs.h"

namespace ingot::memory {
namespace {

using program::Program;
using testing::Builder;
using testing::rule;
using testing::small_platform;

MemoryPlan plan_small(const Program& program, const PlanOptions& options = {}) {
    support::Diagnostics diagnostics;
    MemoryPlan result = plan(program, small_platform(4096, 65536, 65536), options, diagnostics);
    verify(program, result);
    return result;
}

// in → op 0 → a → op 1 (view) → v → op 2 → out; `in` is read again by op 2.
struct Residual {
    Builder b;
    TensorId in = b.activation(100);
    TensorId a = b.activation(64);
    TensorId v = b.view(a);
    TensorId out = b.activation(32);
    TensorId work = 0;

    Residual() {
        b.program.inputs = {in};
        b.program.outputs = {out};
        b.step("CONV_2D", {in}, {a});
        work = b.scratch("scratch", 48);
        b.step("RESHAPE", {a}, {v});
        b.step("ADD", {v, in}, {out});
    }
};

TEST(Lifetimes, InputsOutputsScratchAndViews) {
    const Residual r;
    const auto lives = lifetimes(r.b.program, true);
    EXPECT_EQ(lives[r.in], (Lifetime{-1, 2}));
    EXPECT_EQ(lives[r.a], (Lifetime{0, 2}));  // its view is read in step 2
    EXPECT_EQ(lives[r.v], (Lifetime{0, 2}));
    EXPECT_EQ(lives[r.out], (Lifetime{2, 3}));
    EXPECT_EQ(lives[r.work], (Lifetime{0, 0}));
    EXPECT_EQ(lifetimes(r.b.program, false)[r.in], (Lifetime{-1, 3}));
}

TEST(Lifetimes, ViewOfAnInputThatIsAnOutputKeepsTheInput) {
    Builder b;
    const TensorId in = b.activation(16);
    const TensorId shown = b.view(in);
    const TensorId again = b.view(shown);
    b.program.inputs = {in};
    b.program.outputs = {again};
    b.step("RESHAPE", {in}, {shown});
    b.step("SQUEEZE", {shown}, {again});
    for (TensorId id : {in, shown, again}) {
        EXPECT_EQ(lifetimes(b.program, true)[id], (Lifetime{-1, 2}));
    }
    const MemoryPlan p = plan_small(b.program);
    ASSERT_EQ(p.regions.size(), 1U);
    EXPECT_EQ(p.regions[0].size, 16U);
    EXPECT_EQ(p.regions[0].tensors, (std::vector<TensorId>{in, shown, again}));
}

TEST(Lifetimes, UnusedOutputsAndInputsAndUnmentionedTensors) {
    Builder b;
    const TensorId unused_in = b.activation(16);
    const TensorId in = b.activation(16);
    const TensorId first = b.activation(16);
    const TensorId second = b.activation(16);
    const TensorId nobody = b.activation(16);
    b.program.inputs = {unused_in, in, in};
    b.program.outputs = {first};
    b.step("SPLIT", {in}, {first, second});
    const auto lives = lifetimes(b.program, true);
    EXPECT_EQ(lives[unused_in], (Lifetime{-1, -1}));
    EXPECT_EQ(lives[second], (Lifetime{0, 0}));
    EXPECT_TRUE(plan_small(b.program).placements[nobody].has_value());
}

TEST(Plan, ViewOfAConstantIsAConstant) {
    Builder b;
    const TensorId weights = b.weights(100, 1);
    const TensorId shown = b.view(weights);
    const TensorId out = b.activation(16);
    b.program.outputs = {out, shown};
    b.step("RESHAPE", {weights}, {shown}, {weights});
    b.step("GATHER", {shown}, {out});
    const MemoryPlan p = plan_small(b.program);
    EXPECT_EQ(p.regions[p.placements[shown]->region].role, Role::constant);
    EXPECT_EQ(p.regions[p.placements[shown]->region].memory, "flash");
}

TEST(Plan, ConstantsInOrderOfFirstReaderAndEqualOnesShareAPlace) {
    Builder b;
    const TensorId in = b.activation(16);
    const TensorId later = b.weights(20, 1);  // lower index, read later
    const TensorId first = b.weights(33, 2);
    const TensorId mid = b.activation(16);
    const TensorId out = b.activation(16);
    b.program.inputs = {in};
    b.program.outputs = {out};
    b.step("CONV_2D", {in}, {mid}, {first});
    const TensorId shift = b.made("shift", Builder::bytes_of(4, 3));
    b.step("CONV_2D", {mid}, {out}, {later, first});
    const TensorId equal = b.made("shift", Builder::bytes_of(4, 3));
    const TensorId longer = b.made("packed", Builder::bytes_of(5, 3));
    const MemoryPlan p = plan_small(b.program);
    EXPECT_EQ(p.placements[first]->offset, 0U);
    EXPECT_EQ(p.placements[shift]->offset, 48U);
    EXPECT_EQ(p.placements[later]->offset, 64U);
    EXPECT_EQ(p.placements[equal]->offset, 48U);
    EXPECT_EQ(p.placements[longer]->offset, 96U);
    const Region& region = p.regions.back();
    EXPECT_EQ(region.role, Role::constant);
    EXPECT_EQ(region.size, 112U);
    EXPECT_EQ(region.tensors.size(), 5U);
    const std::vector<std::uint8_t> bytes = region.contents(b.program, p);
    ASSERT_EQ(bytes.size(), 112U);
    EXPECT_TRUE(std::equal(b.program.tensors[later].data.begin(),
                           b.program.tensors[later].data.end(), bytes.begin() + 64));
    EXPECT_EQ(bytes[33], 0);
    EXPECT_EQ(bytes[111], 0);
}

TEST(Plan, RegionsByRoleThenMemoryThenSourceWithTheirNames) {
    Builder b;
    const TensorId in = b.activation(16);
    const TensorId out = b.activation(16);
    const TensorId state = b.state(20);
    const TensorId w1 = b.weights(16, 1);
    const TensorId w2 = b.weights(16, 2);
    const TensorId w3 = b.weights(16, 3);
    b.program.inputs = {in};
    b.program.outputs = {out};
    b.step("SVDF", {in, state}, {out, state}, {w1, w2, w3});
    PlanOptions options;
    options.prefix = "kws";
    options.memory.tensors = {rule(1, "", {b.program.tensors[w1].id}, {"slow"}),
                              rule(2, "", {b.program.tensors[w2].id}, {"flash"}),
                              rule(3, "", {b.program.tensors[out].id}, {"slow"})};
    options.memory.tensors[1].constant_destination_memory = {"slow"};
    const MemoryPlan p = plan_small(b.program, options);
    std::vector<std::string> names;
    for (const Region& region : p.regions) names.push_back(region.enum_name);
    EXPECT_EQ(names, (std::vector<std::string>{"kws_arena_fast", "kws_arena_slow",
                                               "kws_arena_persistent_fast", "kws_arena_const_flash",
                                               "kws_arena_const_slow_from_flash",
                                               "kws_arena_const_slow_from_slow"}));
    EXPECT_TRUE(p.regions[4].staged());
    EXPECT_FALSE(p.regions[5].staged());
    EXPECT_EQ(p.regions[2].size, 32U);
}

TEST(Plan, NamesThatMakeTheSameIdentifierStayApart) {
    Builder b;
    const TensorId in = b.activation(16);
    const TensorId out = b.activation(16);
    b.program.inputs = {in};
    b.program.outputs = {out};
    b.step("RELU", {in}, {out});
    platforms::Platform platform = small_platform(4096, 4096, 4096);
    platform.memories[0].name = "ext-ram";
    platform.memories[1].name = "ext.ram";
    platform.order[0] = {"ext-ram", "ext.ram"};
    PlanOptions options;
    options.memory.tensors = {rule(1, "", {b.program.tensors[out].id}, {"ext.ram"})};
    support::Diagnostics diagnostics;
    const MemoryPlan p = plan(b.program, platform, options, diagnostics);
    EXPECT_EQ(p.regions[0].enum_name, "aot_arena_ext_ram");
    EXPECT_EQ(p.regions[1].enum_name, "aot_arena_ext_ram_2");
}

TEST(Plan, ArenaAlignmentRoundsTheArenaAndItsBound) {
    Residual r;
    PlanOptions options;
    options.memory.tensors = {rule(1, "SCRATCH", {}, {})};
    options.memory.tensors[0].arena_alignment = 64;
    const MemoryPlan p = plan_small(r.b.program, options);
    EXPECT_EQ(p.regions[0].alignment, 64U);
    EXPECT_EQ(p.regions[0].peak_live, 224U);  // 112 + 64 + 48
    EXPECT_EQ(p.regions[0].size, 256U);
    EXPECT_EQ(p.regions[0].lower_bound, 256U);
    EXPECT_TRUE(p.regions[0].optimal);
}

TEST(Plan, TensorsWithoutBytesHaveAPlaceOfTheirOwn) {
    Builder b;
    const TensorId in = b.activation(0);
    const TensorId out = b.activation(0);
    const TensorId empty = b.weights(0, 1);
    b.program.inputs = {in};
    b.program.outputs = {out};
    b.step("CONCATENATION", {in}, {out}, {empty});
    for (const Region& region : plan_small(b.program).regions) EXPECT_GT(region.size, 0U);
}

TEST(Plan, ScratchBudgetIsWhatTheOthersInTheMemoryLeave) {
    Residual r;
    const TensorId w = r.b.weights(1000, 1);
    r.b.program.steps[0].constants = {{w, 1000}};
    PlanOptions options;
    options.memory.tensors = {rule(1, "", {}, {"fast"})};
    options.memory.constraints = {{"fast", 2048, {}}};
    const MemoryPlan p = plan_small(r.b.program, options);
    EXPECT_EQ(p.regions[1].size, 1008U);
    EXPECT_EQ(p.regions[0].budget, 2048U - 1008U);
    EXPECT_EQ(p.regions[1].budget, 1008U);
}

TEST(Plan, LayoutGivesTheExecutorEveryPlace) {
    const Residual r;
    const MemoryPlan p = plan_small(r.b.program);
    const program::Layout layout = p.layout();
    ASSERT_EQ(layout.arena_sizes.size(), p.regions.size());
    for (TensorId id = 0; id < r.b.program.tensors.size(); ++id) {
        EXPECT_EQ(layout.places[id].arena, p.placements[id]->region);
        EXPECT_EQ(layout.places[id].offset, p.placements[id]->offset);
    }
}

// --- verify ---

class Verify : public ::testing::Test {
  protected:
    Residual r;
    MemoryPlan p = plan_small(r.b.program);
    void expect_refused() { EXPECT_THROW(verify(r.b.program, p), std::logic_error); }
};

TEST_F(Verify, RefusesSharedBytes) {
    p.placements[r.in]->offset = p.placements[r.a]->offset;
    p.placements[r.v]->offset = p.placements[r.a]->offset;
    expect_refused();
}

TEST_F(Verify, RefusesPartlySharedBytes) {
    const std::size_t low = std::min(p.placements[r.in]->offset, p.placements[r.a]->offset);
    p.placements[r.in]->offset = low;
    p.placements[r.a]->offset = low + 96;
    p.placements[r.v]->offset = low + 96;
    p.placements[r.work]->offset = low + 160;
    p.regions[0].size = 512;
    expect_refused();
}

TEST_F(Verify, RefusesAViewElsewhere) {
    p.placements[r.v]->offset += 16;
    expect_refused();
}

TEST_F(Verify, RefusesAnUnalignedOffset) {
    p.regions[0].size = 4096;
    p.placements[r.in]->offset = 2001;
    expect_refused();
}

TEST_F(Verify, RefusesATensorOutsideItsArena) {
    p.placements[r.in]->offset = p.regions[0].size;
    expect_refused();
}

TEST_F(Verify, RefusesAMissingPlaceAndATooShortLifetime) {
    const MemoryPlan good = p;
    p.placements[r.out].reset();
    expect_refused();
    p = good;
    p.lifetimes[r.in].last = 1;
    expect_refused();
    p = good;
    EXPECT_NO_THROW(verify(r.b.program, p));
}

}  // namespace
}  // namespace ingot::memory
