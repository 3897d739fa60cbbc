#include "report/memory_map.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/reports.h"
#include "support/diagnostics.h"
#include "unit/report/demo_program.h"

namespace ingot::report {
namespace {

using nlohmann::json;

class MemoryMap : public ::testing::Test {
  protected:
    json plan;
    json report;

    void SetUp() override {
        const program::Program program = testing::demo_program();
        const memory::MemoryPlan planned = testing::demo_plan(program, {});
        ReportOptions options;
        options.platform = testing::demo_platform();
        plan = plan_report(program, planned, options);
        report = full_report(program, planned, options);
    }
};

TEST_F(MemoryMap, JoinsStepsArenasAndTensors) {
    const json map = memory_map(plan, report, "x");
    ASSERT_EQ(map["steps"].size(), 8U);
    EXPECT_EQ(map["steps"][0]["type"], "CONV_2D");
    EXPECT_EQ(map["tensors"].size(), plan["tensors"].size());
    const json& input = map["tensors"][map["steps"][0]["reads"][0].get<std::size_t>()];
    EXPECT_EQ(input["kind"], "input");
    EXPECT_EQ(input["first"], 0);
    const json& made = map["tensors"][map["steps"][0]["writes"][0].get<std::size_t>()];
    EXPECT_EQ(made["kind"], "activation");
    EXPECT_EQ(made["producer"], 0);
    EXPECT_EQ(map["arenas"][0]["live"].size(), 10U);
    // The demo's steps permit no overlap.
    EXPECT_EQ(map["overlaps"], json::array());
    EXPECT_EQ(map["arenas"][0]["live"], map["arenas"][0]["occupied"]);
}

TEST_F(MemoryMap, CountsBytesThatLieOverOneAnotherOnce) {
    // The first operator's output, laid over its input from there on.
    const std::string output = plan["operators"][0]["tensors"][1]["id"];
    const std::string input = plan["operators"][0]["tensors"][0]["id"];
    json offset;
    for (const json& tensor : plan["tensors"]) {
        if (tensor["id"] == input) offset = tensor["placement"]["offset"];
    }
    for (json& tensor : plan["tensors"]) {
        if (tensor["id"] == output) tensor["placement"]["offset"] = offset;
    }
    const json map = memory_map(plan, report, "x");
    ASSERT_FALSE(map["overlaps"].empty());
    EXPECT_EQ(map["overlaps"][0]["slot"], 1);
    EXPECT_EQ(map["overlaps"][0]["size"], 768);
    EXPECT_EQ(map["steps"][0]["overlap_bytes"], 768);
    const json& arena = map["arenas"][0];
    EXPECT_EQ(arena["live"][1].get<int>() - arena["occupied"][1].get<int>(), 768);
}

TEST_F(MemoryMap, RefusesReportsOfDifferentModules) {
    report["operators"][0]["id"] = 77;
    EXPECT_THROW(memory_map(plan, report, "x"), support::Failure);
    EXPECT_THROW(memory_map(json::array(), report, "x"), support::Failure);
    EXPECT_THROW(memory_map(plan, json(nullptr), "x"), support::Failure);
}

}  // namespace
}  // namespace ingot::report
