#include "report/diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/diagnostics.h"
#include "unit/report/demo_program.h"

namespace ingot::report {
namespace {

using nlohmann::json;
using Kinds = std::vector<std::string>;

class Diff : public ::testing::Test {
  protected:
    json before = parse_residency(testing::demo_report_text(), "a.json");
    json after = before;
    json& tensor(std::size_t i) { return after["tensors"][i]; }
};

TEST_F(Diff, EqualReportsAndAnotherCompilerAreNoDifference) {
    after["compiler_version"] = "9.9.9";
    const ResidencyDiff d = diff(before, after);
    EXPECT_TRUE(d.equal());
    EXPECT_EQ(to_text(d), "no differences\n");
    EXPECT_EQ(d.arenas.size(), 3U);
    EXPECT_EQ(to_json(d)["equal"], true);
}

TEST_F(Diff, APlanHashAloneIsADifference) {
    after["plan_hash"] = "0000000000000000";
    const ResidencyDiff d = diff(before, after);
    EXPECT_FALSE(d.equal());
    ASSERT_EQ(d.fields.size(), 1U);
    EXPECT_EQ(d.fields[0].path, "plan_hash");
    EXPECT_NE(to_text(d).find("plan_hash: \"87f6d61da9206a74\" -> \"0000000000000000\"\n"),
              std::string::npos);
}

TEST_F(Diff, TensorsMoveGrowChangeMemoryAppearAndDisappear) {
    tensor(0)["offset"] = 0;
    tensor(1)["size"] = 500;
    tensor(2)["size"] = 1;
    tensor(3)["memory"] = "sram";
    tensor(3)["offset"] = 16;
    tensor(4)["source_memory"] = "mram";
    tensor(5)["role"] = "persistent";
    tensor(6)["id"] = "99";
    const ResidencyDiff d = diff(before, after);
    ASSERT_EQ(d.tensors.size(), 8U);
    EXPECT_EQ(d.tensors[0].kinds(), Kinds{"moved"});
    EXPECT_EQ(d.tensors[1].kinds(), Kinds{"grew"});
    EXPECT_EQ(d.tensors[2].kinds(), Kinds{"shrank"});
    EXPECT_EQ(d.tensors[3].kinds(), (Kinds{"memory", "moved"}));
    EXPECT_EQ(d.tensors[4].kinds(), Kinds{"source"});
    EXPECT_EQ(d.tensors[5].kinds(), Kinds{"role"});
    EXPECT_EQ(d.tensors[6].id, "8");
    EXPECT_EQ(d.tensors[6].kinds(), Kinds{"disappeared"});
    EXPECT_EQ(d.tensors[7].id, "99");
    EXPECT_EQ(d.tensors[7].kinds(), Kinds{"appeared"});
    const std::string text = to_text(d);
    EXPECT_NE(text.find("tensor 0: moved 4096 -> 0\n"), std::string::npos) << text;
    EXPECT_NE(text.find("tensor 1: grew 432 -> 500 bytes\n"), std::string::npos) << text;
    EXPECT_NE(text.find("tensor 4: memory dtcm -> sram, moved 4096 -> 16\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find("tensor 99: appeared, scratch dtcm at 4096, 1024 bytes\n"),
              std::string::npos)
        << text;
    const json j = to_json(d);
    EXPECT_EQ(j["tensors"][7]["before"], nullptr);
    EXPECT_EQ(j["tensors"][7]["after"]["offset"], 4096);
}

TEST_F(Diff, ArenasHaveTotalsAndTheirFieldsArePaths) {
    after["arenas"]["scratch"][0]["used"] = 6000;
    after["arenas"]["scratch"][0]["peak_live"] = 5000;
    after["arenas"]["scratch"][0]["optimal"] = true;
    after["arenas"]["constant"][0]["source_memory"] = "mram";
    const ResidencyDiff d = diff(before, after);
    ASSERT_EQ(d.arenas.size(), 4U);
    EXPECT_EQ(d.arenas[0].before, 5696U);
    EXPECT_EQ(d.arenas[0].after, 6000U);
    EXPECT_TRUE(d.arenas[0].changed());
    EXPECT_FALSE(d.arenas[1].changed());
    EXPECT_FALSE(d.arenas[2].after.has_value());
    EXPECT_FALSE(d.arenas[3].before.has_value());
    const std::string text = to_text(d);
    for (const char* line : {"arena scratch dtcm: 5696 -> 6000 bytes (+304)\n",
                             "arena constant dtcm: disappeared, 44176 bytes\n",
                             "arena constant dtcm from mram: appeared, 44176 bytes\n",
                             "arenas.scratch[dtcm].peak_live: 5696 -> 5000\n",
                             "arenas.scratch[dtcm].optimal: none -> true\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

TEST_F(Diff, WhatIsNoReportIsAnInputError) {
    const auto status = [](const std::string& text) {
        try {
            parse_residency(text, "b.json");
        } catch (const support::Failure& failure) {
            EXPECT_EQ(failure.diagnostics()[0].where, "b.json");
            return failure.status();
        }
        return support::ExitStatus::ok;
    };
    EXPECT_EQ(status(testing::demo_report_text()), support::ExitStatus::ok);
    std::vector<std::string> wrong = {"", "{", "[]", "null", "{}", "\xff\xfe", "{\"a\":1}"};
    wrong.push_back(testing::demo_report_text().substr(0, 3000));
    wrong.push_back(testing::demo_report_text() + "x");
    wrong.push_back(std::string(200'000, '['));
    const auto changed = [&](const char* pointer, const json& value) {
        json report = before;
        report[json::json_pointer(pointer)] = value;
        wrong.push_back(report.dump());
    };
    changed("/tensors", 1);
    changed("/tensors/0/offset", -1);
    changed("/tensors/0/id", 7);
    changed("/tensors/1/id", "0");
    changed("/tensors/0", nullptr);
    changed("/arenas", json::array());
    changed("/arenas/scratch", nullptr);
    changed("/arenas/scratch/0/used", "much");
    changed("/arenas/scratch/1", before["arenas"]["scratch"][0]);
    changed("/arenas/weights", json::array());
    changed("/plan_hash", 1);
    for (const std::string& text : wrong) {
        EXPECT_EQ(status(text), support::ExitStatus::io) << text.substr(0, 80);
    }
}

}  // namespace
}  // namespace ingot::report
