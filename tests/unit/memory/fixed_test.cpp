// Tensors pinned by a rule, and the offsets that a model brings along.
#include "memory/fixed.h"

#include <gtest/gtest.h>

#include "memory/plan.h"
#include "support/diagnostics.h"
#include "unit/memory/programs.h"

namespace ingot::memory {
namespace {

using support::Diagnostics;
using support::ExitStatus;
using support::Failure;
using testing::Builder;
using testing::rule;
using testing::small_platform;

// 0 (64) → 1 (128) → 2 (64), then a view 3 of 2; a constant 4.
struct Pinned {
    Builder b;
    TensorId in = b.activation(64);
    TensorId mid = b.activation(128);
    TensorId out = b.activation(64);
    TensorId shown = b.view(out);
    TensorId w = b.weights(16, 1);
    PlanOptions options;
    Diagnostics diagnostics;

    Pinned() {
        b.program.inputs = {in};
        b.program.outputs = {shown};
        b.step("CONV_2D", {in}, {mid}, {w});
        b.step("CONV_2D", {mid}, {out});
        b.step("RESHAPE", {out}, {shown});
    }
    void pin(const std::string& id, std::uint64_t offset) {
        options.memory.tensors.push_back(rule(9, "", {id}, {}));
        options.memory.tensors.back().offset = offset;
    }
    void bring(const std::vector<std::int32_t>& words) {
        OfflineEntry& entry = options.offline.emplace();
        entry.in_arena = {true, true, true, true, false};
        for (std::int32_t word : words) {
            for (int byte = 0; byte < 4; ++byte) {
                entry.data.push_back(
                    static_cast<std::uint8_t>(static_cast<std::uint32_t>(word) >> (8 * byte)));
            }
        }
    }
    MemoryPlan planned() {
        MemoryPlan p = plan(b.program, small_platform(1024, 4096, 4096), options, diagnostics);
        verify(b.program, p);
        return p;
    }
    std::size_t offset(const MemoryPlan& p, TensorId id) const { return p.placements[id]->offset; }
    Failure failure() {
        try {
            planned();
        } catch (const Failure& f) {
            return f;
        }
        ADD_FAILURE() << "nothing was refused";
        return {ExitStatus::ok, "", ""};
    }
};

TEST(Fixed, ARuleSaysWhereATensorBegins) {
    Pinned t;
    t.pin("1", 256);
    t.pin("3", 64);  // a view: its root begins there
    const MemoryPlan p = t.planned();
    EXPECT_EQ(t.offset(p, t.mid), 256U);
    EXPECT_EQ(t.offset(p, t.out), 64U);
    EXPECT_EQ(t.offset(p, t.shown), 64U);
    EXPECT_EQ(p.regions[0].size, 384U);
    t.options.memory.planner = config::Planner::greedy;
    EXPECT_EQ(t.offset(t.planned(), t.mid), 256U);
}

TEST(Fixed, TensorsInEachOthersWayAreBothNamed) {
    Pinned t;
    t.pin("0", 0);
    t.pin("1", 48);
    const Failure failure = t.failure();
    EXPECT_EQ(failure.status(), ExitStatus::usage);
    ASSERT_EQ(failure.diagnostics().size(), 1U);
    EXPECT_EQ(failure.diagnostics()[0].message,
              "tensor 0 (64 bytes at 0 by rule config.yaml:9:7) and tensor 1 (128 bytes at 48 by "
              "rule config.yaml:9:7) share bytes of fast while both are live");
    // What the kernel permits is in nobody's way.
    t.b.program.steps[0].overlaps = {{t.in, t.mid, 0, 48}};
    EXPECT_EQ(t.offset(t.planned(), t.mid), 48U);
}

TEST(Fixed, ATensorBeyondTheBudgetIsRefused) {
    Pinned t;
    t.pin("1", 912);
    const Failure failure = t.failure();
    EXPECT_EQ(failure.status(), ExitStatus::memory);
    EXPECT_NE(failure.diagnostics().at(0).message.find("tensor 1"), std::string::npos);
}

TEST(Fixed, OnlyScratchHasAnOffset) {
    Pinned t;
    t.pin("4", 0);
    EXPECT_EQ(t.failure().status(), ExitStatus::usage);
}

TEST(OfflinePlan, IsFollowed) {
    Pinned t;
    t.bring({1, 0, 5, 320, 64, 192, -1, -1});
    const MemoryPlan p = t.planned();
    EXPECT_TRUE(t.diagnostics.list().empty());
    EXPECT_EQ(t.offset(p, t.in), 320U);
    EXPECT_EQ(t.offset(p, t.mid), 64U);
    EXPECT_EQ(t.offset(p, t.out), 192U);
}

TEST(OfflinePlan, GoesIntoAMemoryThatHoldsAllOfIt) {
    Pinned t;
    t.bring({1, 0, 5, 2048, 0, -1, -1, -1});
    const MemoryPlan p = t.planned();
    EXPECT_EQ(p.regions[p.placements[t.in]->region].memory, "slow");
    EXPECT_EQ(p.regions[p.placements[t.mid]->region].memory, "slow");
    EXPECT_EQ(p.regions[p.placements[t.out]->region].memory, "fast");
}

TEST(OfflinePlan, IsIgnoredAsAWholeWhenSomethingIsWrong) {
    const std::vector<std::pair<std::vector<std::int32_t>, std::string>> wrong = {
        {{1, 0}, "8 bytes, fewer than its header"},
        {{2, 0, 5, 0, 64, 192, -1, -1}, "version is 2"},
        {{1, 1, 5, 0, 64, 192, -1, -1}, "for subgraph 1"},
        {{1, 0, 4, 0, 64, 192, -1}, "for 4 tensors"},
        {{1, 0, -5, 0, 64, 192, -1, -1}, "for -5 tensors"},
        {{1, 0, 5, 0, 64, 192, -1}, "28 bytes, and 5 offsets take 32"},
        {{1, 0, 5, 0, 64, 192, -1, -1, 0}, "36 bytes"},
        {{1, 0, 5, 0, 72, 192, -1, -1}, "offset 72 of tensor 1"},
        {{1, 0, 5, 0, -16, 192, -1, -1}, "offset -16 of tensor 1"},
        {{1, 0, 5, 0, 64, 192, -1, 0}, "tensor 4, which is a constant"},
        {{1, 0, 5, 0, 48, 192, -1, -1}, "tensors 0 and 1 over each other"}};
    for (const auto& [words, why] : wrong) {
        Pinned t;
        const MemoryPlan without = t.planned();
        t.bring(words);
        const MemoryPlan p = t.planned();
        ASSERT_EQ(t.diagnostics.list().size(), 1U) << why;
        EXPECT_EQ(t.diagnostics.list()[0].severity, support::Severity::warning);
        EXPECT_NE(t.diagnostics.list()[0].message.find(why), std::string::npos)
            << t.diagnostics.list()[0].message;
        EXPECT_EQ(t.offset(p, t.in), t.offset(without, t.in));
        EXPECT_EQ(t.offset(p, t.mid), t.offset(without, t.mid));
    }
}

}  // namespace
}  // namespace ingot::memory
