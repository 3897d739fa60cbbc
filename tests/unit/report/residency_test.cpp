#include "report/residency.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/hash.h"
#include "unit/memory/programs.h"
#include "unit/report/demo_program.h"
#include "unit/report/schema_check.h"

namespace ingot::report {
namespace {

using memory::MemoryPlan;
using memory::PlanOptions;
using nlohmann::json;
using program::Program;
using program::TensorId;
using testing::rule;

const std::vector<std::string> kNoErrors;

PlanOptions greedy() {
    PlanOptions options;
    options.memory.planner = config::Planner::greedy;
    return options;
}

ResidencyOptions as_published() {
    ResidencyOptions options;
    options.compiler_version = "0.33.0";
    options.ingot_keys = false;
    return options;
}

TEST(Residency, GreedyGivesThePublishedReportOfTheDemoByteForByte) {
    const Program program = testing::demo_program();
    const MemoryPlan plan = testing::demo_plan(program, greedy());
    EXPECT_EQ(plan_hash(plan), "87f6d61da9206a74");
    EXPECT_EQ(tensor_layout_hash(program, plan), "b8c2130e3dd06b16");
    EXPECT_EQ(to_text(residency(program, plan, as_published())), testing::demo_report_text());
}

TEST(Residency, IngotAddsThreeKeysToScratchArenasAndNothingElse) {
    const Program program = testing::demo_program();
    const MemoryPlan plan = testing::demo_plan(program, greedy());
    ResidencyOptions options = as_published();
    options.ingot_keys = true;
    json report = residency(program, plan, options);
    EXPECT_EQ(testing::schema_errors("residency", report), kNoErrors);
    json& scratch = report["arenas"]["scratch"][0];
    EXPECT_EQ(scratch["lower_bound"], 5696);
    // Planner greedy lays nothing over anything.
    EXPECT_EQ(scratch["overlap_lower_bound"], 5696);
    EXPECT_EQ(scratch["optimal"], true);
    for (const char* key : {"lower_bound", "overlap_lower_bound", "optimal"}) scratch.erase(key);
    EXPECT_EQ(to_text(report), testing::demo_report_text());
}

TEST(Residency, BestNeedsNoMoreThanPublished) {
    const Program program = testing::demo_program();
    const MemoryPlan plan = testing::demo_plan(program, {});
    EXPECT_EQ(plan.regions[0].size, 5696U);
    EXPECT_TRUE(plan.regions[0].optimal);
}

TEST(Residency, StagingChangesThePlanHashOnly) {
    const Program program = testing::demo_program();
    const MemoryPlan before = testing::demo_plan(program, greedy());
    PlanOptions options = greedy();
    options.memory.tensors = {rule(1, "", {}, {"dtcm"}), rule(2, "CONSTANT", {}, {"mram"})};
    options.memory.tensors[1].constant_destination_memory = {"dtcm"};
    const MemoryPlan after = testing::demo_plan(program, options);
    EXPECT_NE(plan_hash(before), plan_hash(after));
    EXPECT_EQ(tensor_layout_hash(program, before), tensor_layout_hash(program, after));

    const json report = residency(program, after, {});
    EXPECT_EQ(testing::schema_errors("residency", report), kNoErrors);
    const json& arena = report["arenas"]["constant"][0];
    EXPECT_EQ(arena["kind"], "staged");
    EXPECT_EQ(arena["memory"], "dtcm");
    EXPECT_EQ(arena["source_memory"], "mram");
    EXPECT_EQ(arena["storage"]["runtime"]["symbol"], "aot_arena_const_dtcm_buffer");
    EXPECT_EQ(arena["storage"]["source"], json({{"memory", "mram"},
                                                {"size_bytes", 44176},
                                                {"symbol", "aot_arena_const_dtcm__source"}}));
    const std::vector<std::uint8_t> bytes = after.regions[2].contents(program, after);
    EXPECT_EQ(arena["storage"]["sidecar"],
              json({{"file", "aot_arena_const_dtcm__source.bin"},
                    {"sha256", support::sha256_hex(std::span<const std::uint8_t>(bytes))},
                    {"size_bytes", 44176}}));
    EXPECT_EQ(report["tensors"][1]["source_memory"], "mram");
    EXPECT_EQ(report["tensors"][0]["source_memory"], "dtcm");
}

TEST(Residency, ArenasOfTheApplicationHaveNoSymbolAndColdOnesASidecar) {
    const Program program = testing::demo_program();
    const MemoryPlan plan = testing::demo_plan(program, greedy());
    ResidencyOptions options;
    options.allocate_arenas = false;
    const json report = residency(program, plan, options);
    EXPECT_EQ(testing::schema_errors("residency", report), kNoErrors);
    for (const char* role : {"scratch", "persistent", "constant"}) {
        const json& storage = report["arenas"][role][0]["storage"];
        EXPECT_EQ(storage["runtime"]["owner"], "application");
        EXPECT_TRUE(storage["runtime"]["symbol"].is_null());
        EXPECT_EQ(storage["sidecar"].is_null(), std::string(role) != "constant");
    }
    EXPECT_EQ(report["arenas"]["constant"][0]["storage"]["sidecar"]["file"],
              "aot_arena_const_dtcm__blob.bin");
}

TEST(Residency, FragmentationIsAFractionOrTheIntegerZero) {
    testing::Builder b;
    const TensorId in = b.activation(32);
    const TensorId out = b.activation(16);
    b.program.inputs = {in};
    b.program.outputs = {out};
    b.step("MEAN", {in}, {out});
    MemoryPlan plan = testing::demo_plan(b.program, {});
    json report = residency(b.program, plan, {});
    EXPECT_TRUE(report["arenas"]["scratch"][0]["fragmentation"].is_number_integer());
    EXPECT_TRUE(report["arenas"]["constant"].empty());
    plan.regions[0].size = 64;
    report = residency(b.program, plan, {});
    EXPECT_EQ(report["arenas"]["scratch"][0]["fragmentation"], 0.25);
}

TEST(Residency, ModelIdsInNumericOrderThenNames) {
    testing::Builder b;
    const TensorId ten = b.activation(16, 10);
    const TensorId nine = b.activation(16, 9);
    b.program.inputs = {ten};
    b.program.outputs = {nine};
    b.step("CONV_2D", {ten}, {nine});
    const TensorId work = b.scratch("scratch", 16);
    const TensorId packed = b.made("packed", {1, 2, 3});
    const MemoryPlan plan = testing::demo_plan(b.program, {});
    EXPECT_EQ(report_order(b.program, plan), (std::vector<TensorId>{nine, ten, packed, work}));
}

}  // namespace
}  // namespace ingot::report
