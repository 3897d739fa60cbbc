// Placement macros before functions, and before the helpers that they use.
#include "module/function_placement.h"

#include <gtest/gtest.h>

#include "module/kernel_source.h"

namespace ingot::module {
namespace {

std::vector<std::string> sources() {
    return {
        "/* A table. */\nstatic const int table[] = {\n    1,\n};\n\n/* Halves. */\nstatic inline "
        "int "
        "half(int x)\n{\n    return x / 2;\n}\n\nstatic int third(int x)\n{\n    return x / 3;\n}",
        "static int both(int x,\n                int y)\n{\n    return half(x) + y + "
        "table[0];\n}\n\n"
        "int first(int x)\n{\n    /* not third */\n    return both(x, x);\n}",
        "int second(int x)\n{\n    if (x) {\n        return third(x);\n    }\n    return "
        "half(x);\n}"};
}

TEST(FunctionPlacement, HelpersGoWithTheFunctionThatUsesThem) {
    std::vector<std::string> parts = sources();
    place_functions(parts, {{"first", "IN_A"}});
    EXPECT_EQ(
        parts[0],
        "/* A table. */\nstatic const int table[] = {\n    1,\n};\n\n/* Halves. */\nIN_A\n"
        "static inline int half(int x)\n{\n    return x / 2;\n}\n\nstatic int third(int x)\n{\n"
        "    return x / 3;\n}");
    EXPECT_EQ(parts[1].rfind("IN_A\nstatic int both(int x,\n", 0), 0U);
    EXPECT_NE(parts[1].find("\n\nIN_A\nint first("), std::string::npos);
    EXPECT_EQ(parts[2], sources()[2]);
}

TEST(FunctionPlacement, ASharedHelperGoesWithTheFirstByName) {
    std::vector<std::string> parts = sources();
    place_functions(parts, {{"second", "IN_B"}, {"first", "IN_A"}});
    EXPECT_NE(parts[0].find("IN_A\nstatic inline int half("), std::string::npos);
    EXPECT_NE(parts[0].find("IN_B\nstatic int third("), std::string::npos);
    EXPECT_EQ(parts[2].rfind("IN_B\nint second(", 0), 0U);
}

TEST(FunctionPlacement, NothingWithoutMacrosAndForUnknownFunctions) {
    std::vector<std::string> parts = sources();
    place_functions(parts, {});
    EXPECT_EQ(parts, sources());
    place_functions(parts, {{"third_of_all", "IN_A"}});
    EXPECT_EQ(parts, sources());
}

TEST(FunctionPlacement, KernelsCarryTheMacroOfTheirMemory) {
    const KernelSources plain = kernel_sources({"softmax_s8", "max_pool_2d_s8"}, "net");
    const KernelSources placed =
        kernel_sources({"softmax_s8", "max_pool_2d_s8"}, "net", {{"softmax_s8", "itcm"}});
    const auto all = [](const KernelSources& from) {
        std::string text;
        for (const std::string& part : from.source_parts) text += part + "\n";
        return text;
    };
    EXPECT_EQ(all(plain).find("PUT_CODE"), std::string::npos);
    const std::string text = all(placed);
    EXPECT_NE(text.find("NET_PUT_CODE_IN_ITCM\nint32_t net_kernel_softmax_s8("), std::string::npos);
    EXPECT_NE(text.find("NET_PUT_CODE_IN_ITCM\nstatic inline int32_t net_softmax_exp("),
              std::string::npos);
    EXPECT_EQ(text.find("NET_PUT_CODE_IN_ITCM\nint32_t net_kernel_max_pool"), std::string::npos);
    EXPECT_EQ(placed.header_parts, plain.header_parts);
}

}  // namespace
}  // namespace ingot::module
