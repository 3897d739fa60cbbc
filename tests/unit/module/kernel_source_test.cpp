#include "module/kernel_source.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "module/helpers.h"
#include "support/embedded.h"

namespace ingot::module {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++n;
    }
    return n;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += part + "\n\n";
    return text;
}

std::set<std::string> all_kernels() {
    std::set<std::string> names;
    for (const std::string_view path : support::embedded_files("kernels/")) {
        const std::string name(path.substr(8));
        if (name.find('/') == std::string::npos && name.substr(name.size() - 2) == ".c") {
            names.insert(name.substr(0, name.size() - 2));
        }
    }
    return names;
}

TEST(KernelSources, HoldOnlyWhatIsUsedAndEachOnce) {
    const KernelSources sources =
        kernel_sources({"fully_connected_s8", "fc_per_channel_packed_s8"}, "net");
    const std::string header = joined(sources.header_parts);
    const std::string source = joined(sources.source_parts);
    EXPECT_EQ(count(header, "int32_t net_kernel_fully_connected_s8("), 1U);
    EXPECT_EQ(count(header, "} net_fully_connected_s8_desc_t;"), 1U);
    EXPECT_EQ(count(source, "int32_t net_kernel_fully_connected_s8("), 1U);
    EXPECT_EQ(count(source, "static inline int8_t net_requantize_s8("), 1U);
    EXPECT_LT(source.find("net_multiply_by_quantized_multiplier(int32_t"),
              source.find("net_requantize_s8("));
    EXPECT_EQ(count(source, "net_tap_range"), 0U);
}

TEST(KernelSources, NothingIsLeftOfTheCompilersOwnNames) {
    const KernelSources sources = kernel_sources(all_kernels(), "x");
    for (const std::string& text : {joined(sources.header_parts), joined(sources.source_parts)}) {
        for (const char* word : {"ingot", "INGOT", "SPDX", "#include \"", "__cplusplus"}) {
            EXPECT_EQ(count(text, word), 0U) << word;
        }
    }
}

// Helpers of different kernels have different names, and no compiler finds fault with any of them.
TEST(KernelSources, AllKernelsTogetherCompileWithoutAWarning) {
    const KernelSources sources = kernel_sources(all_kernels(), "x");
    std::string text = "#include <stddef.h>\n#include <stdint.h>\n#define X_RESTRICT __restrict\n";
    for (const auto& includes : {sources.header_includes, sources.source_includes}) {
        for (const std::string& header : includes) text += "#include " + header + "\n";
    }
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n" + joined(sources.header_parts) +
            "#ifdef __cplusplus\n}\n#endif\n" + joined(sources.source_parts);
    const std::string file = std::string(INGOT_BUILD_DIR) + "/tests/all_kernels.c";
    std::filesystem::create_directories(std::string(INGOT_BUILD_DIR) + "/tests");
    std::ofstream(file) << text;
    const std::string c = " -std=c99 -Wstrict-prototypes -Wmissing-prototypes";
    for (const std::string& compiler :
         {"gcc" + c, "clang" + c, std::string("g++ -x c++ -std=c++17"),
          std::string("clang++ -x c++ -std=c++17")}) {
        const std::string command = compiler +
                                    " -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef "
                                    "-Wcast-qual -Werror -c -o /dev/null '" +
                                    file + "'";
        EXPECT_EQ(std::system(command.c_str()), 0) << compiler;
    }
}

TEST(KernelSources, ContinuedListsStayAligned) {
    const std::string header = joined(kernel_sources({"conv_2d_s8"}, "a").header_parts);
    const std::string start = "int32_t a_kernel_conv_2d_s8(";
    const std::size_t at = header.find(start);
    ASSERT_NE(at, std::string::npos);
    const std::size_t next = header.find('\n', at) + 1;
    EXPECT_EQ(header.find_first_not_of(' ', next) - next, start.size());
}

TEST(KernelSources, AnUnknownKernelIsAFault) {
    EXPECT_THROW(kernel_sources({"no_such_kernel"}, "a"), std::logic_error);
}

TEST(UnusedHelpers, AreDroppedWithTheirCommentsAndWhatOnlyTheyUse) {
    const std::vector<std::string> parts = {
        "/* Table. */\nstatic const int8_t table[2] = {\n    1, 2\n};\n\n"
        "/* Lowest. */\nstatic inline int low(int x)\n{\n    return table[x];\n}\n\n"
        "/* Middle. */\nstatic int middle(int x)\n{\n    return low(x);\n}\n\n"
        "static int kept(int x)\n{\n    return x;\n}",
        "/* names middle in a comment only */\nint f(void)\n{\n    return kept(1);\n}",
        "static int alone(void)\n{\n    return alone();\n}"};
    const std::vector<std::string> wanted = {
        "static int kept(int x)\n{\n    return x;\n}",
        "/* names middle in a comment only */\nint f(void)\n{\n    return kept(1);\n}"};
    EXPECT_EQ(drop_unused_helpers(parts), wanted);
}

TEST(UnusedHelpers, VariantsOfOneNameLiveOrDieTogether) {
    const std::string both =
        "#if A\nstatic int f(void)\n{\n    return 1;\n}\n#else\nstatic int f(void)\n{\n"
        "    return 2;\n}\n#endif";
    EXPECT_EQ(drop_unused_helpers({both, "int g(void)\n{\n    return f();\n}"})[0], both);
    EXPECT_EQ(drop_unused_helpers({both})[0], "#if A\n#else\n#endif");
}

}  // namespace
}  // namespace ingot::module
