// Every broken file of tests/data/malformed through the whole compiler, treated as its index says.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/driver.h"
#include "program/execute.h"
#include "support/files.h"

namespace ingot::driver {
namespace {

using Bytes = std::vector<std::uint8_t>;

const std::string kFolder = INGOT_PROJECT_DIR "/tests/data/malformed/";

/// The input and the output of base.tflite, from base.bin.
struct BaseVector {
    Bytes input;
    Bytes output;
};

BaseVector base_vector() {
    constexpr long kInputBytes = 108;
    const Bytes all = support::read_file(kFolder + "base.bin");
    return {{all.begin(), all.begin() + kInputBytes}, {all.begin() + kInputBytes, all.end()}};
}

/// The compiled model; nothing when it is refused as a model, which needs a message.
std::optional<Compilation> compile_file(const std::string& file) {
    support::Diagnostics diagnostics;
    try {
        return compile(config::load("", "", {}), support::read_file(kFolder + file), file, {},
                       diagnostics);
    } catch (const support::Failure& failure) {
        EXPECT_EQ(failure.status(), support::ExitStatus::model) << file << ": " << failure.what();
        for (const support::Diagnostic& diagnostic : failure.diagnostics()) {
            EXPECT_FALSE(diagnostic.message.empty()) << file;
            EXPECT_EQ(support::to_text(diagnostic).find_first_of("\r\t\x1b"), std::string::npos)
                << file;
        }
        return std::nullopt;
    }
}

Bytes run(const Compilation& compilation, const Bytes& input) {
    const program::Program& program = compilation.program;
    program::Instance instance(program, program::separate_layout(program));
    instance.reset();
    const auto in = instance.bytes(program.inputs.at(0));
    EXPECT_EQ(in.size(), input.size());
    std::copy(input.begin(), input.end(), in.begin());
    EXPECT_EQ(instance.run(), 0);
    const auto out = instance.bytes(program.outputs.at(0));
    return {out.begin(), out.end()};
}

TEST(Malformed, IsTreatedAsTheIndexSays) {
    std::ifstream stream(kFolder + "index.json");
    const auto index = nlohmann::json::parse(stream);
    ASSERT_GE(index["cases"].size(), 90U);
    const BaseVector base = base_vector();
    ASSERT_EQ(base.output.size(), 5U);
    std::size_t compared = 0;
    for (const auto& entry : index["cases"]) {
        const auto file = entry["file"].get<std::string>();
        const auto expect = entry["expect"].get<std::string>();
        const std::optional<Compilation> compilation = compile_file(file);
        if (expect == "error") {
            EXPECT_FALSE(compilation) << file << ": " << entry["fault"];
        }
        if (expect.starts_with("handle")) {
            EXPECT_TRUE(compilation) << file;
        }
        const bool as_base =
            file == "base.tflite" || expect.find("same result as base") != std::string::npos;
        if (compilation && as_base) {
            EXPECT_EQ(run(*compilation, base.input), base.output) << file;
            ++compared;
        }
    }
    EXPECT_GE(compared, 4U) << "base, trailing_zeros, old_code_byte_only, long_name, name_path";
}

}  // namespace
}  // namespace ingot::driver
