#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "support/arithmetic.h"
#include "support/diagnostics.h"
#include "support/embedded.h"
#include "support/hash.h"
#include "support/suggest.h"

using namespace ingot::support;

namespace {

// FIPS 180-4 examples, as published with the standard.
TEST(Hash, KnownAnswers) {
    EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_hex("abc"),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Suggest, NearestName) {
    const std::array<std::string, 3> names = {"planner", "constraints", "tensors"};
    EXPECT_EQ(nearest("planer", names), "planner");
    EXPECT_EQ(nearest("Tensros", names), "tensors");
    EXPECT_EQ(nearest("zzzzzz", names), "");
    EXPECT_EQ(did_you_mean("constraint", names), "did you mean 'constraints'?");
    EXPECT_EQ(nearest(std::string(100000, 'x'), names), "");
}

TEST(Arithmetic, OverflowIsNoticed) {
    EXPECT_EQ(checked_multiply<std::int64_t>(3, 4), 12);
    EXPECT_FALSE(checked_multiply<std::int64_t>(std::int64_t{1} << 62, 4).has_value());
    EXPECT_FALSE(checked_add<std::uint32_t>(0xffffffffU, 1U).has_value());
    EXPECT_EQ(align_up(17, 16), 32U);
    EXPECT_EQ(align_up(16, 16), 16U);
}

TEST(Embedded, HoldsTheFilesThemselves) {
    EXPECT_TRUE(has_embedded_file("kernels/support/platform.h"));
    EXPECT_NE(embedded_file("kernels/support/platform.h").find("INGOT_RESTRICT"),
              std::string_view::npos);
    EXPECT_THROW(embedded_file("no/such/file"), std::logic_error);
    const auto paths = embedded_files("kernels/");
    EXPECT_TRUE(std::is_sorted(paths.begin(), paths.end()));
    EXPECT_FALSE(paths.empty());
}

TEST(Diagnostics, TextAndErrors) {
    Diagnostics diagnostics;
    diagnostics.note("a", "b");
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_NO_THROW(diagnostics.throw_if_errors(ExitStatus::usage));
    diagnostics.error("config.yaml:7:13", "unknown key 'planer'", "did you mean 'planner'?");
    EXPECT_EQ(to_text(diagnostics.list().back()),
              "error: config.yaml:7:13: unknown key 'planer'\nhint: did you mean 'planner'?");
    try {
        diagnostics.throw_if_errors(ExitStatus::usage);
        FAIL() << "an error must end the work";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), ExitStatus::usage);
        EXPECT_EQ(failure.diagnostics().size(), 1U);
    }
}

}  // namespace
