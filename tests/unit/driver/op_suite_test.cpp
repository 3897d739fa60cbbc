// Runs the operator suite: one small model a case, whose outputs TensorFlow Lite Micro's (or, for
// what that refuses, LiteRT's) reference kernels computed. Every case must be accepted, and every
// byte equal. INGOT_OP_SUITE names another folder in the same form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "config/config.h"
#include "driver/driver.h"
#include "ops/operator.h"
#include "program/execute.h"
#include "support/files.h"
#include "tflite/import.h"

namespace ingot {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::uint8_t>;

fs::path suite_folder() {
    const char* other = std::getenv("INGOT_OP_SUITE");
    return other != nullptr ? fs::path(other)
                            : fs::path(INGOT_PROJECT_DIR) / "tests" / "data" / "op-suite";
}

/// A model with its golden bytes; `vectors` begin at byte offsets of the golden.
struct Case {
    std::string name;
    fs::path model;
    fs::path golden;
    std::size_t invocations = 0;
    std::vector<std::size_t> vectors;
};

using Cases = std::map<std::string, std::vector<Case>>;  // by operator

Cases read_cases() {
    Cases cases;
    std::ifstream file(suite_folder() / "index.json");
    if (!file) return cases;
    const nlohmann::json index = nlohmann::json::parse(file);
    for (const auto& entry : index.at("cases")) {
        Case item;
        item.name = entry.at("variant");
        item.model = suite_folder() / std::string(entry.at("file"));
        item.golden = suite_folder() / std::string(entry.at("golden"));
        item.invocations = entry.at("invocations");
        for (const auto& vector : entry.at("vectors")) item.vectors.push_back(vector.at("offset"));
        cases[entry.at("operator")].push_back(std::move(item));
    }
    return cases;
}

const Cases& all_cases() {
    static const Cases cases = read_cases();
    return cases;
}

std::vector<std::string> operators() {
    std::vector<std::string> names;
    for (const auto& [name, cases] : all_cases()) names.push_back(name);
    return names;
}

/// The bytes that follow `at` in the golden, which moves behind them.
std::span<const std::uint8_t> take(const Bytes& golden, std::size_t& at, std::size_t size) {
    if (size > golden.size() - at) throw std::out_of_range("golden is too short");
    at += size;
    return {golden.data() + at - size, size};
}

/// Runs every vector from a fresh instance and compares every output of every invocation.
void expect_golden(const program::Program& program, const program::Layout& layout, const Case& item,
                   const Bytes& golden) {
    for (const std::size_t offset : item.vectors) {
        SCOPED_TRACE("vector at byte " + std::to_string(offset));
        program::Instance instance(program, layout);
        std::size_t at = offset;
        for (std::size_t n = 0; n < item.invocations; ++n) {
            for (const program::TensorId id : program.inputs) {
                const auto input = take(golden, at, program.tensor(id).size);
                std::copy(input.begin(), input.end(), instance.bytes(id).begin());
            }
            ASSERT_EQ(instance.run(), 0);
            for (const program::TensorId id : program.outputs) {
                const auto expected = take(golden, at, program.tensor(id).size);
                const auto actual = instance.bytes(id);
                const auto [wrong, right] =
                    std::mismatch(actual.begin(), actual.end(), expected.begin());
                ASSERT_EQ(wrong, actual.end())
                    << "invocation " << n << ", output " << program.tensor(id).id << ", byte "
                    << wrong - actual.begin() << ": " << int{*wrong} << ", not " << int{*right};
            }
        }
    }
}

/// As the model stands, with a place of its own for every tensor.
void run_untransformed(const Case& item, const Bytes& model, const Bytes& golden) {
    support::Diagnostics diagnostics;
    const ir::Graph graph = tflite::import(model, diagnostics).subgraphs.at(0);
    const program::Program program = ops::lower(graph, {});
    expect_golden(program, program::separate_layout(program), item, golden);
}

/// As it is converted: passes on, and tensors that share memory by the plan.
void run_converted(const Case& item, const Bytes& model, const Bytes& golden) {
    support::Diagnostics diagnostics;
    const config::Config config = config::load("", "", {});
    const driver::Compilation compilation =
        driver::compile(config, model, item.model.filename().string(), {}, diagnostics);
    expect_golden(compilation.program, compilation.plan.layout(), item, golden);
}

class OpSuite : public ::testing::TestWithParam<std::string> {};

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OpSuite);

TEST_P(OpSuite, EveryCaseIsExact) {
    for (const Case& item : all_cases().at(GetParam())) {
        SCOPED_TRACE(item.name);
        const Bytes model = support::read_file(item.model);
        const Bytes golden = support::read_file(item.golden);
        try {
            run_untransformed(item, model, golden);
            run_converted(item, model, golden);
        } catch (const support::Failure& failure) {
            ADD_FAILURE() << "refused: " << support::to_text(failure.diagnostics().front());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, OpSuite, ::testing::ValuesIn(operators()), [](const auto& test) {
    std::string name = test.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(OpSuiteFolder, HasCases) {
    EXPECT_GE(all_cases().size(), 20U);
}

}  // namespace
}  // namespace ingot
