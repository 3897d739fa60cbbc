#include "report/reports.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "report/residency.h"
#include "report/stack.h"
#include "support/embedded.h"
#include "unit/memory/programs.h"
#include "unit/report/demo_program.h"
#include "unit/report/schema_check.h"

namespace ingot::report {
namespace {

using memory::MemoryPlan;
using memory::PlanOptions;
using nlohmann::json;
using program::Program;

const std::vector<std::string> kNoErrors;

class Reports : public ::testing::Test {
  protected:
    Program program = testing::demo_program();
    PlanOptions options;
    ReportOptions report_options;
    program::Kernel kernel;

    void SetUp() override {
        kernel.name = "conv_2d_s8";
        program.steps[0].calls.push_back({&kernel, {}, {}});
        program.steps[0].macs = 110592;
        program.steps[2].macs = 589824;
        report_options.model_name = "demo";
        report_options.compiler_version = "0.1.0";
        report_options.platform = testing::demo_platform();
        report_options.transforms = {{"fold-pad", true, 1, 1, 0, {"folded PAD 3"}},
                                     {"drop-unread-constants", true, 2, 0, 40, {}}};
    }
};

TEST_F(Reports, PlanGivesKernelVariantScratchAndPlacesOfEveryOperator) {
    report_options.variant = [](const program::Kernel& k) { return k.name + "/mve"; };
    options.memory.tensors = {testing::rule(7, "SCRATCH", {"3"}, {"sram"})};
    const MemoryPlan plan = testing::demo_plan(program, options);
    const json report = plan_report(program, plan, report_options);
    EXPECT_EQ(testing::schema_errors("plan", report), kNoErrors);
    ASSERT_EQ(report["operators"].size(), 8U);
    const json& conv = report["operators"][0];
    EXPECT_EQ(
        conv["kernels"],
        json::parse(R"([{"code_placement":null,"name":"conv_2d_s8","variant":"conv_2d_s8/mve"}])"));
    EXPECT_EQ(conv["scratch_bytes"], 128);
    EXPECT_EQ(conv["tensors"].size(), 7U);
    EXPECT_EQ(conv["tensors"][1]["id"], "3");
    EXPECT_EQ(conv["tensors"][1]["placement"]["region"], "aot_arena_sram");
    EXPECT_TRUE(report["operators"][4]["view"].get<bool>());
    EXPECT_EQ(report["plan_hash"], plan_hash(plan));
    const json& tensor3 = report["tensors"][2];
    EXPECT_EQ(tensor3["matched_rules"], json::parse(R"(["config.yaml:7:7"])"));
    EXPECT_EQ(tensor3["decided_by"], "rule config.yaml:7:7");
    EXPECT_EQ(tensor3["lifetime"], json::parse(R"({"first":0,"last":1})"));
    EXPECT_EQ(report["tensors"][8]["view_of"], "8");
}

TEST_F(Reports, PlanSaysWhichInputAnOutputLiesOverAndWhichWayTheKernelRuns) {
    MemoryPlan plan = testing::demo_plan(program, options);
    const program::Step& softmax = program.steps.at(7);
    auto& input = plan.placements.at(softmax.reads.at(0).tensor);
    auto& output = plan.placements.at(softmax.writes.at(0).tensor);
    ASSERT_EQ(program.tensor(softmax.reads[0].tensor).size, 10U);
    *output = {input->region, 0};
    input->offset = 4;
    json step = plan_report(program, plan, report_options)["operators"][7];
    const std::string id = program.tensor(softmax.reads[0].tensor).id;
    EXPECT_EQ(step["output_overlap"], 6);
    EXPECT_EQ(step["overlap"],
              json::array({{{"bytes", 6},
                            {"direction", "forwards"},
                            {"distance", 4},
                            {"input", id},
                            {"output", program.tensor(softmax.writes[0].tensor).id}}}));
    plan.backwards.at(7) = true;
    output->offset = 12;
    const json report = plan_report(program, plan, report_options);
    EXPECT_EQ(testing::schema_errors("plan", report), kNoErrors);
    step = report["operators"][7];
    EXPECT_EQ(step["output_overlap"], 2);
    EXPECT_EQ(step["overlap"][0]["direction"], "backwards");
    EXPECT_EQ(step["overlap"][0]["distance"], 8);
    output->offset = 14;
    EXPECT_TRUE(plan_report(program, plan, report_options)["operators"][7]["overlap"].is_null());
}

TEST_F(Reports, ReportAddsUpMacsAndBytes) {
    const MemoryPlan plan = testing::demo_plan(program, options);
    const json report = full_report(program, plan, report_options);
    EXPECT_EQ(testing::schema_errors("report", report), kNoErrors);
    EXPECT_EQ(report["totals"]["macs"], 700416);
    EXPECT_EQ(report["totals"]["constant_bytes"], 44176);
    EXPECT_EQ(report["totals"]["written_arena_bytes"], 5696 + 128);
    // Operator 0: input, output, work buffer twice, four constants.
    EXPECT_EQ(report["operators"][0]["touched_bytes"]["dtcm"], 768 + 4096 + 2 * 128 + 432 + 3 * 64);
    std::uint64_t sum = 0;
    for (const json& op : report["operators"]) {
        sum += op["touched_bytes"].value("dtcm", std::uint64_t{0});
    }
    EXPECT_EQ(report["memories"][0]["touched_bytes"], sum);
    EXPECT_EQ(report["memories"][0]["used"], 5696 + 128 + 44176);
    EXPECT_EQ(report["transforms"][0]["removed_operators"], 1);
    EXPECT_TRUE(report["spilled"].empty());
    EXPECT_EQ(report["stack"]["deepest"], "conv_2d_s8");
    EXPECT_GT(report["stack"]["bytes"], 100);
}

TEST_F(Reports, HintsNameThePeakAndComeInOrder) {
    const MemoryPlan plan = testing::demo_plan(program, options);
    report_options.hints = {
        {"planner", "another", "dtcm", 99999, false, {"memory.planner", "best"}},
        {"transform", "a third", "dtcm", 1, false, {}}};
    const json report = full_report(program, plan, report_options);
    EXPECT_EQ(testing::schema_errors("report", report), kNoErrors);
    const memory::Region& arena = plan.regions[0];
    ASSERT_EQ(report["hints"].size(), 3U);
    EXPECT_EQ(report["hints"][0]["kind"], "planner");
    EXPECT_EQ(report["hints"][0]["setting"], "memory: {planner: best}");
    EXPECT_EQ(report["hints"][0]["flag"], "--memory.planner=best");
    EXPECT_EQ(report["hints"][1]["saves"], 1);
    // No setting takes the peak away, so it promises nothing.
    EXPECT_EQ(report["hints"][2]["kind"], "peak");
    EXPECT_EQ(report["hints"][2]["saves"], 0);
    EXPECT_FALSE(report["hints"][2]["at_most"].get<bool>());
    EXPECT_TRUE(report["hints"][2]["setting"].is_null());
    EXPECT_EQ(report["arenas"][0]["peak"]["live_bytes"], arena.peak_live);
}

TEST_F(Reports, StackIsThatOfTheDeepestKernelAndTheLargestCore) {
    const auto on = [&](const char* cpu) { return stack_figure(program, cpu)->bytes; };
    for (const char* cpu : {"cortex-m0", "cortex-m4", "cortex-m55", "cortex-m85"}) {
        EXPECT_LE(on(cpu), on("generic")) << cpu;
    }
    EXPECT_GT(on("cortex-m0"), on("cortex-m4"));
    program.steps[0].calls.clear();
    EXPECT_EQ(stack_figure(program, "cortex-m4")->deepest, "init");
    program.steps[0].custom.emplace().inputs.resize(10);
    const std::uint64_t ten = on("cortex-m4");
    program.steps[0].custom->outputs.resize(20);
    EXPECT_EQ(on("cortex-m4"), ten + 20 * 36);  // by operand: sizeof(aot_operand_t)
    EXPECT_EQ(stack_figure(program, "cortex-m4")->deepest,
              "operator " + std::to_string(program.steps[0].op_index));
    program.steps[0].custom.reset();
    kernel.name = "no such kernel";
    program.steps[0].calls.push_back({&kernel, {}, {}});
    EXPECT_FALSE(stack_figure(program, "cortex-m4"));
}

TEST(StackTable, HasARowForEveryKernelAndCore) {
    std::set<std::string> names;
    for (std::string_view path : support::embedded_files("kernels/")) {
        const std::size_t end = path.rfind(".c");
        if (end == std::string_view::npos || end + 2 != path.size()) continue;
        names.emplace(path.substr(8, end - 8));
    }
    const json table = json::parse(support::embedded_file("kernels/stack.json"));
    EXPECT_GT(names.size(), 30U);
    for (const std::string& name : names) {
        ASSERT_TRUE(table["kernels"].contains(name)) << name << ": scripts/stack_table.py --write";
        EXPECT_EQ(table["kernels"][name].size(), 9U) << name;
    }
    EXPECT_EQ(table["kernels"].size(), names.size());
}

TEST_F(Reports, ReportNamesBudgetsThatBindAndWhatSpilled) {
    options.memory.constraints = {{"dtcm", 20000, {}}};
    report_options.constraints = options.memory.constraints;
    const MemoryPlan plan = testing::demo_plan(program, options);
    const json report = full_report(program, plan, report_options);
    EXPECT_EQ(testing::schema_errors("report", report), kNoErrors);
    EXPECT_EQ(report["memories"][0]["constraint"], 20000);
    EXPECT_TRUE(report["memories"][0]["binds"].get<bool>());
    EXPECT_FALSE(report["memories"][1]["binds"].get<bool>());
    ASSERT_EQ(report["spilled"].size(), 1U);
    EXPECT_EQ(report["spilled"][0]["id"], "11");
    EXPECT_EQ(report["spilled"][0]["wanted"], "dtcm");
    EXPECT_EQ(report["spilled"][0]["memory"], "sram");
    EXPECT_FALSE(report["hints"].empty());
}

TEST_F(Reports, AlternativesSayByHowMuchTheyLost) {
    MemoryPlan plan = testing::demo_plan(program, options);
    plan.regions[0].greedy_size = plan.regions[0].size + 48;
    json report = full_report(program, plan, report_options);
    EXPECT_EQ(report["arenas"][0]["alternatives"][0]["worse_by"], 48);
    report_options.planner = config::Planner::greedy;
    report = full_report(program, plan, report_options);
    EXPECT_TRUE(report["arenas"][0]["alternatives"].empty());
}

TEST_F(Reports, TheSchemasRefuseWhatIsWrong) {
    const MemoryPlan plan = testing::demo_plan(program, options);
    json report = residency(program, plan, {});
    EXPECT_EQ(testing::schema_errors("residency", report), kNoErrors);
    report["tensors"][0]["offset"] = -16;
    report["tensors"][1]["role"] = "weights";
    report["extra"] = 1;
    report.erase("plan_hash");
    EXPECT_EQ(testing::schema_errors("residency", report).size(), 4U);
}

}  // namespace
}  // namespace ingot::report
