// Where rules put code.
#include <gtest/gtest.h>

#include "memory/plan.h"
#include "memory/rules.h"
#include "support/diagnostics.h"
#include "unit/memory/programs.h"

namespace ingot::memory {
namespace {

using support::Diagnostics;
using support::Failure;
using testing::Builder;
using testing::rule;
using testing::small_platform;

config::Rule code_rule(int line, const std::string& type, const std::vector<std::string>& ids,
                       const std::string& memory) {
    config::Rule result = rule(line, type, ids, {});
    result.memory.reset();
    result.code_placement = memory;
    return result;
}

/// conv_2d_0 and conv_2d_1 call kernel `shared`, pad_2 calls `own`; relu_3 calls both.
struct Chain {
    program::Kernel shared;
    program::Kernel own;
    Builder b;
    Diagnostics diagnostics;

    Chain() {
        shared.name = "shared";
        own.name = "own";
        const char* types[] = {"CONV_2D", "CONV_2D", "PAD", "RELU"};
        TensorId before = b.activation(16);
        b.program.inputs = {before};
        for (int i = 0; i < 4; ++i) {
            const TensorId after = b.activation(16);
            program::Step& step = b.step(types[i], {before}, {after});
            if (i != 2) step.calls.push_back({&shared, {}, {}});
            if (i >= 2) step.calls.push_back({&own, {}, {}});
            before = after;
        }
        b.program.outputs = {before};
    }
    CodePlan placed(const std::vector<config::Rule>& rules) {
        return place_code(b.program, rules, diagnostics);
    }
};

TEST(CodePlacement, NoRuleNoPlace) {
    Chain chain;
    config::Rule other = rule(1, "CONV_2D", {}, {});
    other.scratch_placement = std::vector<std::string>{"fast"};
    const CodePlan plan = chain.placed({other});
    EXPECT_TRUE(plan.operators.empty());
    EXPECT_TRUE(plan.kernels.empty());
}

TEST(CodePlacement, AnOperatorAndItsKernelsGoTogether) {
    Chain chain;
    const CodePlan plan = chain.placed({code_rule(4, "", {"relu_3"}, "itcm")});
    ASSERT_EQ(plan.operators.size(), 1U);
    EXPECT_EQ(plan.operators.at("relu_3").memory, "itcm");
    EXPECT_EQ(plan.operators.at("relu_3").reason, "rule config.yaml:4:7");
    EXPECT_EQ(plan.kernels.at("shared").memory, "itcm");
    EXPECT_EQ(plan.kernels.at("own").memory, "itcm");
    EXPECT_TRUE(chain.diagnostics.list().empty());
}

TEST(CodePlacement, TheMoreSpecificRuleWinsAndAmongEqualsTheLater) {
    Chain chain;
    const CodePlan plan =
        chain.placed({code_rule(1, "", {"2"}, "itcm"), code_rule(2, "PAD", {}, "slow"),
                      code_rule(3, "", {}, "slow"), code_rule(4, "", {"pad_*"}, "fast")});
    EXPECT_EQ(plan.operators.at("pad_2").memory, "fast");
    EXPECT_EQ(plan.operators.at("conv_2d_0").memory, "slow");
}

TEST(CodePlacement, OperatorsThatDisagreeOverAKernelGetANote) {
    Chain chain;
    const CodePlan plan =
        chain.placed({code_rule(1, "", {"1"}, "itcm"), code_rule(2, "", {"3"}, "slow")});
    EXPECT_EQ(plan.operators.at("relu_3").memory, "slow");
    EXPECT_EQ(plan.kernels.at("shared").memory, "itcm");
    EXPECT_EQ(plan.kernels.at("own").memory, "slow");
    ASSERT_EQ(chain.diagnostics.list().size(), 1U);
    EXPECT_EQ(chain.diagnostics.list()[0].where, "config.yaml:2:7");
    EXPECT_EQ(chain.diagnostics.list()[0].severity, support::Severity::note);
    EXPECT_EQ(chain.diagnostics.list()[0].message,
              "kernel shared, which relu_3 calls, stays in itcm, where an operator before it has "
              "put it");
}

TEST(CodePlacement, TheMemoryMustExistAndExecuteCode) {
    Builder b;
    const TensorId in = b.activation(16);
    const TensorId out = b.activation(16);
    b.program.inputs = {in};
    b.program.outputs = {out};
    b.step("PAD", {in}, {out});
    platforms::Platform platform = small_platform(65536, 65536, 65536);
    for (platforms::Memory& memory : platform.memories) memory.executable = memory.name == "fast";
    PlanOptions options;
    options.operators = {code_rule(1, "", {}, "slow"), code_rule(2, "", {}, "fats")};
    Diagnostics diagnostics;
    try {
        plan(b.program, platform, options, diagnostics);
        FAIL() << "nothing was refused";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), support::ExitStatus::usage);
        ASSERT_EQ(failure.diagnostics().size(), 2U);
        EXPECT_EQ(failure.diagnostics()[0].hint, "use fast");
        EXPECT_EQ(failure.diagnostics()[1].hint, "did you mean 'fast'?");
    }
    options.operators = {code_rule(3, "", {}, "fast")};
    EXPECT_EQ(plan(b.program, platform, options, diagnostics).code.operators.at("pad_0").memory,
              "fast");
}

}  // namespace
}  // namespace ingot::memory
