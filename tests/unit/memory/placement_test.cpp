// Rules, budgets, spilling, staging, and the refusal when nothing fits.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "memory/plan.h"
#include "memory/rules.h"
#include "support/diagnostics.h"
#include "unit/memory/fixed_seed.h"
#include "unit/memory/programs.h"

namespace ingot::memory {
namespace {

using program::Program;
using support::Diagnostics;
using support::ExitStatus;
using support::Failure;
using testing::Builder;
using testing::rule;
using testing::small_platform;

// Two convolutions: 0 → (1) → 2 → (3) → 4, weights 1 and 3, a work buffer each.
struct TwoConvolutions {
    Builder b;
    TensorId in = b.activation(256);
    TensorId w0 = b.weights(512, 1);
    TensorId mid = b.activation(512);
    TensorId w1 = b.weights(1024, 2);
    TensorId out = b.activation(64);
    TensorId work0 = 0;
    TensorId work1 = 0;
    platforms::Platform platform = small_platform(65536, 65536, 65536);
    PlanOptions options;
    Diagnostics diagnostics;

    TwoConvolutions() {
        b.program.inputs = {in};
        b.program.outputs = {out};
        b.step("CONV_2D", {in}, {mid}, {w0});
        work0 = b.scratch("scratch", 128);
        b.step("DEPTHWISE_CONV_2D", {mid}, {out}, {w1});
        work1 = b.scratch("scratch", 64);
    }

    MemoryPlan planned() {
        MemoryPlan p = plan(b.program, platform, options, diagnostics);
        verify(b.program, p);
        return p;
    }
    static std::string memory_of(const MemoryPlan& p, TensorId id) {
        return p.regions[p.placements[id]->region].memory;
    }
    static std::string source_of(const MemoryPlan& p, TensorId id) {
        return p.regions[p.placements[id]->region].source_memory;
    }
    Failure failure() {
        try {
            plan(b.program, platform, options, diagnostics);
        } catch (const Failure& f) {
            return f;
        }
        ADD_FAILURE() << "nothing was refused";
        return {ExitStatus::ok, "", ""};
    }
};

TEST(Glob, StarsAndQuestionMarksIgnoringCase) {
    EXPECT_TRUE(glob_matches("conv_2d_*", "conv_2d_0_scratch"));
    EXPECT_TRUE(glob_matches("*_SCRATCH", "conv_2d_0_scratch"));
    EXPECT_TRUE(glob_matches("1?", "17"));
    EXPECT_TRUE(glob_matches("*", ""));
    EXPECT_TRUE(glob_matches("a*b*c", "axxbyybzc"));
    EXPECT_FALSE(glob_matches("1?", "1"));
    EXPECT_FALSE(glob_matches("1", "17"));
    EXPECT_FALSE(glob_matches("a*b*c", "axxbyybz"));
    EXPECT_FALSE(glob_matches("", "1"));
    EXPECT_FALSE(glob_matches(std::string(200, '*') + "x", std::string(5000, 'a')));
}

TEST(Rules, TheMoreSpecificWinsWhateverTheOrder) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(1, "SCRATCH", {"2"}, {"fast"}), rule(2, "", {"2"}, {"slow"}),
                                rule(3, "SCRATCH", {}, {"slow"}), rule(4, "", {}, {"fast"})};
    const MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.mid), "fast");
    EXPECT_EQ(t.memory_of(p, t.in), "slow");
    EXPECT_EQ(t.memory_of(p, t.w0), "fast");
    EXPECT_EQ(p.decisions[t.mid].matched_rules,
              (std::vector<std::string>{"config.yaml:4:7", "config.yaml:3:7", "config.yaml:2:7",
                                        "config.yaml:1:7"}));
    EXPECT_EQ(p.decisions[t.mid].reason, "rule config.yaml:1:7");
}

TEST(Rules, AmongEqualsTheLaterWins) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(1, "", {"2"}, {"fast"}), rule(2, "", {"?"}, {"slow"})};
    EXPECT_EQ(t.memory_of(t.planned(), t.mid), "slow");
    std::swap(t.options.memory.tensors[0], t.options.memory.tensors[1]);
    EXPECT_EQ(t.memory_of(t.planned(), t.mid), "fast");
}

TEST(Rules, AnOperatorTypeCoversWhatItWritesItsScratchAndItsConstants) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(1, "conv_2d", {}, {"slow"})};
    const MemoryPlan p = t.planned();
    for (TensorId id : {t.mid, t.work0, t.w0}) EXPECT_EQ(t.memory_of(p, id), "slow");
    for (TensorId id : {t.in, t.out, t.work1}) EXPECT_EQ(t.memory_of(p, id), "fast");
    EXPECT_EQ(t.memory_of(p, t.w1), "flash");
}

TEST(Rules, SizesLimitARule) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(1, "CONSTANT", {}, {"fast"})};
    t.options.memory.tensors[0].max_size = 512;
    MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.w0), "fast");
    EXPECT_EQ(t.memory_of(p, t.w1), "flash");
    t.options.memory.tensors[0].max_size.reset();
    t.options.memory.tensors[0].min_size = 513;
    p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.w0), "flash");
    EXPECT_EQ(t.memory_of(p, t.w1), "fast");
}

TEST(Rules, ScratchPlacementOfAnOperatorMovesItsWorkBufferOnly) {
    TwoConvolutions t;
    config::Rule by_type = rule(8, "CONV_2D", {}, {});
    by_type.scratch_placement = std::vector<std::string>{"slow"};
    config::Rule by_id = rule(9, "", {"1"}, {});
    by_id.scratch_placement = std::vector<std::string>{"flash", "slow"};  // the first can't be
    t.options.operators = {by_type, by_id};
    MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.work0), "slow");
    EXPECT_EQ(t.memory_of(p, t.work1), "slow");
    EXPECT_EQ(t.memory_of(p, t.mid), "fast");
    // A tensor rule that names the buffer is more specific than an operator's type.
    t.options.memory.tensors = {rule(1, "", {"conv_2d_0_scratch"}, {"fast"})};
    p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.work0), "fast");
}

TEST(Rules, OneThatMatchesNothingIsANoteWithItsOrigin) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(7, "PERSISTENT", {}, {"slow"})};
    t.options.operators = {rule(12, "SVDF", {}, {})};
    t.planned();
    ASSERT_EQ(t.diagnostics.list().size(), 2U);
    EXPECT_EQ(t.diagnostics.list()[0].where, "config.yaml:12:7");
    EXPECT_EQ(t.diagnostics.list()[1].where, "config.yaml:7:7");
    EXPECT_EQ(t.diagnostics.list()[1].message, "the rule matches no tensor");
    EXPECT_EQ(t.diagnostics.list()[1].severity, support::Severity::note);
}

TEST(Rules, AMisspeltTypeGetsASuggestion) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(7, "CONV_2DD", {}, {"slow"}), rule(9, "SCRACH", {}, {"slow"})};
    t.options.operators = {rule(12, "CONV2D", {}, {})};
    t.planned();
    ASSERT_EQ(t.diagnostics.list().size(), 3U);
    EXPECT_EQ(t.diagnostics.list()[0].hint, "did you mean 'CONV_2D'?");
    EXPECT_EQ(t.diagnostics.list()[1].hint, "did you mean 'CONV_2D'?");
    EXPECT_EQ(t.diagnostics.list()[2].hint, "did you mean 'scratch'?");
}

TEST(Rules, UnknownMemoriesAreAllReportedWithASuggestion) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(3, "", {}, {"fats"}), rule(5, "", {}, {"flahs", "slow"})};
    t.options.memory.constraints = {{"sloww", 1024, {"config.yaml", 9, 5}}};
    const Failure failure = t.failure();
    EXPECT_EQ(failure.status(), ExitStatus::usage);
    ASSERT_EQ(failure.diagnostics().size(), 3U);
    EXPECT_EQ(failure.diagnostics()[0].where, "config.yaml:9:5");
    EXPECT_EQ(failure.diagnostics()[1].where, "config.yaml:3:7");
    EXPECT_NE(failure.diagnostics()[1].message.find("'fats'"), std::string::npos);
    EXPECT_EQ(failure.diagnostics()[1].hint, "did you mean 'fast'?");
    EXPECT_EQ(failure.diagnostics()[2].hint, "did you mean 'flash'?");
}

TEST(Rules, ReadOnlyMemoryIsRefusedForScratchAndPassedOverInALists) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(3, "", {}, {"flash"})};
    const Failure failure = t.failure();
    EXPECT_EQ(failure.status(), ExitStatus::usage);
    ASSERT_EQ(failure.diagnostics().size(), 1U);
    EXPECT_EQ(failure.diagnostics()[0].where, "config.yaml:3:7");
    t.options.memory.tensors = {rule(3, "", {}, {"flash", "slow"})};
    const MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.in), "slow");
    EXPECT_EQ(t.memory_of(p, t.w0), "flash");
}

TEST(Rules, CodeMemoriesHoldDataOnlyByRule) {
    TwoConvolutions t;
    t.platform.memories[0].code_only = true;
    MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.in), "slow");
    t.options.memory.tensors = {rule(3, "", {"0"}, {"fast"})};
    p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.in), "fast");
}

// --- Staging ---

TEST(Staging, DifferentMemoriesStageAndTheSameStaysCold) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(1, "CONSTANT", {}, {"flash"}), rule(2, "", {"3"}, {})};
    t.options.memory.tensors[0].constant_destination_memory = {"fast"};
    t.options.memory.tensors[1].constant_destination_memory = {"flash"};
    const MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.w0), "fast");
    EXPECT_EQ(t.source_of(p, t.w0), "flash");
    EXPECT_EQ(t.memory_of(p, t.w1), "flash");
    const Region& staged = p.regions[p.placements[t.w0]->region];
    EXPECT_TRUE(staged.staged());
    EXPECT_EQ(staged.enum_name, "aot_arena_const_fast");
}

TEST(Staging, DestinationAloneLeavesTheSourceToThePlatform) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(1, "CONSTANT", {}, {})};
    t.options.memory.tensors[0].constant_destination_memory = {"slow"};
    const MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.w0), "slow");
    EXPECT_EQ(t.source_of(p, t.w0), "flash");
    EXPECT_EQ(t.memory_of(p, t.in), "fast");
}

TEST(Staging, ReadOnlyDestinationsAreRefused) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(4, "CONSTANT", {}, {"slow"})};
    t.options.memory.tensors[0].constant_destination_memory = {"flash"};
    EXPECT_EQ(t.failure().status(), ExitStatus::usage);
}

TEST(Staging, SourceAndDestinationBothCountAgainstTheirBudgets) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(4, "CONSTANT", {}, {"flash"})};
    t.options.memory.tensors[0].constant_destination_memory = {"slow"};
    t.options.memory.constraints = {{"flash", 1536, {}}, {"slow", 1536, {}}};
    EXPECT_NO_THROW(t.planned());
    t.options.memory.constraints = {{"flash", 1535, {}}};
    EXPECT_EQ(t.failure().status(), ExitStatus::memory);
    t.options.memory.constraints = {{"slow", 1535, {}}};
    EXPECT_EQ(t.failure().status(), ExitStatus::memory);
}

TEST(Staging, AutoStagesWhatPaysWhileThereIsRoom) {
    TwoConvolutions t;
    t.b.program.steps[0].constants[0].touched_bytes = 512 * 9;  // read again and again
    t.b.program.steps[1].constants[0].touched_bytes = 1024 * 2;
    t.options.memory.tensors = {rule(1, "CONSTANT", {}, {"flash"})};
    t.options.memory.tensors[0].constant_destination_memory = {"auto"};
    MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.w0), "fast");
    EXPECT_EQ(t.memory_of(p, t.w1), "fast");

    // Room for one of them in RAM: the one that is read more often, byte for byte.
    t.platform = small_platform(2048, 0, 65536);
    p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.w0), "fast");
    EXPECT_EQ(t.memory_of(p, t.w1), "flash");
    EXPECT_EQ(t.source_of(p, t.w1), "flash");

    // What an inference doesn't read isn't worth the copy; one byte read is, where there is room.
    t.platform = small_platform(65536, 65536, 65536);
    t.b.program.steps[1].constants[0].touched_bytes = 0;
    p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.w1), "flash");
    t.b.program.steps[1].constants[0].touched_bytes = 1;
    p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.w1), "fast");
}

// --- Budgets ---

TEST(Budgets, WhatCostsLeastSpills) {
    TwoConvolutions t;
    t.platform.order[2] = {"fast", "flash"};
    t.b.program.steps[0].constants[0].touched_bytes = 512 * 20;
    t.b.program.steps[1].constants[0].touched_bytes = 100;  // 300 more
    t.options.memory.constraints = {{"fast", 2048, {}}};
    const MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.w0), "fast");
    EXPECT_EQ(t.memory_of(p, t.mid), "fast");
    EXPECT_EQ(t.memory_of(p, t.w1), "flash");
    EXPECT_EQ(p.decisions[t.w1].spilled_from, "fast");
    EXPECT_EQ(p.decisions[t.w1].reason, "platform order; spilled from fast");
    EXPECT_TRUE(p.decisions[t.w0].spilled_from.empty());
}

TEST(Budgets, StateIsReservedFirst) {
    TwoConvolutions t;
    const TensorId state = t.b.state(1000);
    t.b.program.steps[0].reads.push_back({state, 1});  // hardly touched
    t.options.memory.constraints = {{"fast", 1008, {}}};
    const MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, state), "fast");
    EXPECT_EQ(t.memory_of(p, t.mid), "slow");
}

TEST(Budgets, WhatARulePinsIsPlacedBeforeWhatMayGoElsewhere) {
    TwoConvolutions t;
    t.b.program.steps[1].constants[0].touched_bytes = 0;
    t.options.memory.tensors = {rule(1, "", {"3"}, {"fast"})};
    t.options.memory.constraints = {{"fast", 1100, {}}};
    const MemoryPlan p = t.planned();
    EXPECT_EQ(t.memory_of(p, t.w1), "fast");
    EXPECT_EQ(t.memory_of(p, t.mid), "slow");
}

TEST(Budgets, AListInARuleIsAllThereIs) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(1, "SCRATCH", {}, {"fast"})};
    t.options.memory.constraints = {{"fast", 512, {}}};
    EXPECT_EQ(t.failure().status(), ExitStatus::memory);
    t.options.memory.tensors = {rule(1, "SCRATCH", {}, {"fast", "slow"})};
    EXPECT_NO_THROW(t.planned());
}

TEST(Budgets, ExactlyFullFitsAndAnUnlimitedMemoryHoldsAnything) {
    TwoConvolutions t;
    t.options.memory.tensors = {rule(1, "SCRATCH", {}, {"fast"})};
    t.options.memory.constraints = {{"fast", 896, {}}};  // 256 + 512 + 128
    EXPECT_EQ(t.planned().regions[0].size, 896U);
    t.options.memory.constraints = {{"fast", 895, {}}};
    EXPECT_EQ(t.failure().status(), ExitStatus::memory);
    t.options.ignore_budgets = true;
    EXPECT_NO_THROW(t.planned());
    t.options.ignore_budgets = false;
    t.options.memory.constraints.clear();
    t.platform.memories[0].size.reset();
    const MemoryPlan p = t.planned();
    EXPECT_EQ(p.regions[0].budget, p.regions[0].size);
}

TEST(Budgets, RefusalSaysWhereThePeakIsAndWhatIsAliveThere) {
    TwoConvolutions t;
    t.platform = small_platform(700, 100, 65536);
    const Failure failure = t.failure();
    ASSERT_EQ(failure.status(), ExitStatus::memory);
    ASSERT_EQ(failure.diagnostics().size(), 1U);
    const std::string& text = failure.diagnostics()[0].message;
    EXPECT_EQ(text.find("the program doesn't fit the memories (bytes)\n"), 0U) << text;
    for (const char* part : {"memory", "needed", "available", "fast", "700", "slow", "100",
                             "operator 0 (CONV_2D \"model/conv_2d_0\")", "tensor 2", "512"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    }
    const std::string& hint = failure.diagnostics()[0].hint;
    EXPECT_NE(hint.find("overlap"), std::string::npos) << hint;
    EXPECT_NE(hint.find("rule"), std::string::npos) << hint;
}

// --- Random programs ---

Builder random_program() {
    Builder b;
    const int steps = *rc::gen::inRange(1, 12);
    const auto size = [] { return static_cast<std::size_t>(*rc::gen::inRange(1, 300)); };
    std::vector<TensorId> made = {b.activation(size())};
    b.program.inputs = made;
    for (int s = 0; s < steps; ++s) {
        const TensorId from = *rc::gen::elementOf(made);
        if (*rc::gen::inRange(0, 5) == 0) {
            const TensorId shown = b.view(from);
            b.step("RESHAPE", {from}, {shown});
            made.push_back(shown);
            continue;
        }
        const TensorId to = b.activation(size());
        // Few seeds and sizes, so that equal constants do occur.
        const TensorId w = b.weights(static_cast<std::size_t>(*rc::gen::inRange(1, 4)) * 20,
                                     *rc::gen::inRange(0, 3));
        const bool stateful = *rc::gen::inRange(0, 4) == 0;
        program::Step& step = b.step(stateful ? "SVDF" : "CONV_2D", {from}, {to}, {w});
        step.constants[0].touched_bytes *= static_cast<std::uint64_t>(*rc::gen::inRange(0, 9));
        if (stateful) {
            const TensorId state = b.state(size());
            b.program.steps.back().reads.push_back({state, 10});
            b.program.steps.back().writes.push_back({state, 10});
        }
        if (*rc::gen::inRange(0, 2) == 0) b.scratch("scratch", size());
        made.push_back(to);
    }
    b.program.outputs = {made.back()};
    return b;
}

config::Rule random_rule(int line, const Program& program) {
    const std::string type =
        *rc::gen::elementOf(std::vector<std::string>{"", "SCRATCH", "CONSTANT", "CONV_2D", "SVDF"});
    std::vector<std::string> ids;
    if (*rc::gen::inRange(0, 2) == 0) ids = {(*rc::gen::elementOf(program.tensors)).id};
    const auto memories = *rc::gen::elementOf(std::vector<std::vector<std::string>>{
        {"fast", "slow"}, {"slow"}, {"slow", "fast"}, {"flash", "fast", "slow"}});
    config::Rule result = rule(line, type, ids, memories);
    if (*rc::gen::inRange(0, 3) == 0) {
        result.constant_destination_memory = *rc::gen::elementOf(
            std::vector<std::vector<std::string>>{{"auto"}, {"fast", "slow"}, {"slow"}});
    }
    return result;
}

TEST(Budgets, RandomProgramsKeepThemAndTheirPlansAreValid) {
    EXPECT_TRUE(rc::check([] {
        const Builder b = random_program();
        const auto fast = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1500));
        const platforms::Platform platform =
            small_platform(fast, static_cast<std::uint64_t>(*rc::gen::inRange(0, 2000)), 4000);
        PlanOptions options;
        options.memory.planner = *rc::gen::element(config::Planner::best, config::Planner::greedy);
        options.inputs_overwritable = *rc::gen::arbitrary<bool>();
        const int rules = *rc::gen::inRange(0, 4);
        for (int i = 0; i < rules; ++i) {
            options.memory.tensors.push_back(random_rule(i + 1, b.program));
        }
        Diagnostics diagnostics;
        try {
            const MemoryPlan p = plan(b.program, platform, options, diagnostics);
            RC_TAG("fits");
            verify(b.program, p);
            for (const platforms::Memory& memory : platform.memories) {
                std::uint64_t used = 0;
                for (const Region& region : p.regions) {
                    const bool here =
                        region.memory == memory.name || region.source_memory == memory.name;
                    if (here) used += region.size;
                    RC_ASSERT(region.size <= region.budget);
                    RC_ASSERT(region.role == Role::constant || region.memory != "flash");
                    RC_ASSERT(region.size >= region.lower_bound);
                }
                RC_ASSERT(used <= *memory.size);
            }
        } catch (const Failure& failure) {
            RC_TAG("refused");
            RC_ASSERT(failure.status() == ExitStatus::memory);
        }
    }));
}

TEST(Budgets, AChainOfTenThousandOperatorsIsPlannedAlsoWhereItSpills) {
    Builder b;
    TensorId last = b.activation(64);
    b.program.inputs = {last};
    for (int s = 0; s < 10'000; ++s) {
        const TensorId next = b.activation(static_cast<std::size_t>(16 + (s * 37) % 999));
        const TensorId w = b.weights(40, s);
        b.step("CONV_2D", {last}, {next}, {w});
        last = next;
    }
    b.program.outputs = {last};
    platforms::Platform platform = small_platform(200'000, 8'000'000, 8'000'000);
    platform.order[2] = {"fast", "flash"};
    Diagnostics diagnostics;
    const MemoryPlan p = plan(b.program, platform, {}, diagnostics);
    verify(b.program, p);
    EXPECT_GT(p.regions.size(), 2U);
}

}  // namespace
}  // namespace ingot::memory
