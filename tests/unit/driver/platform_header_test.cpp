// Holds the macros of every module type's platform header against the reference's table, as the
// preprocessor sees them: with Zephyr's headers (stand-ins) and without, with and without the
// devicetree's nodes, and with the application's own definitions.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "unit/driver/c_header.h"
#include "unit/driver/demo_module.h"

namespace ingot {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::normalized;
using Macros = std::map<std::string, std::string>;

const char* const kNodes = " -DCONFIG_ARM=1 -DSTAND_IN_DTCM -DSTAND_IN_ITCM ";
const char* const kNoGnu = " -U__GNUC__ -U__clang__ -U__ARMCC_VERSION ";

/// The placement macros and AOT_PRINTF that are defined behind the header, with their values.
Macros macros(const std::string& type, const std::string& flags) {
    const fs::path folder = fs::path(INGOT_BUILD_DIR) / "tests" / "work" / "platform_header" / type;
    fs::create_directories(folder);
    const fs::path header = folder / "aot_platform.h";
    std::ofstream(header, std::ios::binary)
        << test::demo_module(type, true).at("includes-api/aot_platform.h");
    const std::string includes =
        std::string(INGOT_PROJECT_DIR) + "/tests/end_to_end/zephyr/include";
    const std::string command = "gcc -std=c11 -E -dM -Wundef -Werror " + flags + " -I '" +
                                includes + "' '" + header.string() + "'";
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot run the preprocessor");
    std::string text;
    char block[4096];
    while (const std::size_t count = fread(block, 1, sizeof block, pipe)) text.append(block, count);
    EXPECT_EQ(pclose(pipe), 0) << command;
    Macros found;
    for (const auto& [name, macro] : test::parse_header(text).macros) {
        const bool wanted = name.rfind("AOT_PUT_", 0) == 0 || name.rfind("AOT_PRINTF(", 0) == 0;
        if (wanted) found[name] = macro.value;
    }
    return found;
}

/// Whether a row of the table holds under the given circumstances.
bool applies(const json& row, const std::string& type, bool printk, bool gnu) {
    if (row.value("module_type", type) != type) return false;
    const auto condition = row.at("defined_when").get<std::string>();
    const bool negated = condition.find("(!(") != std::string::npos;
    if (condition.find("CONFIG_PRINTK") != std::string::npos) return printk != negated;
    if (condition.find("__GNUC__") != std::string::npos) return gnu != negated;
    return true;
}

Macros reference_table(const std::string& type, bool printk, bool gnu) {
    Macros table;
    for (const json& row : test::reference().at("headers").at("aot_platform.h").at("macros")) {
        if (!applies(row, type, printk, gnu)) continue;
        const json& value = row.at("value");
        table[row.at("name")] = value.is_null() ? "" : normalized(value.get<std::string>());
    }
    return table;
}

class PlatformHeader : public testing::TestWithParam<const char*> {};

TEST_P(PlatformHeader, HasTheMacrosOfTheReference) {
    const std::string type = GetParam();
    EXPECT_EQ(reference_table(type, true, true).size(), 14U);
    EXPECT_EQ(macros(type, std::string(kNodes) + "-DCONFIG_PRINTK=1"),
              reference_table(type, true, true));
    EXPECT_EQ(macros(type, kNodes), reference_table(type, false, true));
    EXPECT_EQ(macros(type, std::string(kNodes) + kNoGnu), reference_table(type, false, false));
}

TEST_P(PlatformHeader, KeepsTheDefinitionsOfTheApplication) {
    const Macros given = reference_table(GetParam(), true, true);
    std::string flags = kNodes;
    Macros wanted;
    for (const auto& [name, value] : given) {
        flags += " '-D" + name + "=mine'";
        wanted[name] = "mine";
    }
    EXPECT_EQ(macros(GetParam(), flags), wanted);
}

INSTANTIATE_TEST_SUITE_P(Types, PlatformHeader, testing::ValuesIn(test::kModuleTypes));

TEST(ZephyrPlatformHeader, PlacesNothingWhereTheSectionsAreNot) {
    const std::string on_arm = " -DCONFIG_ARM=1 ";
    for (const std::string& flags :
         {std::string(), on_arm, std::string(" -DSTAND_IN_DTCM -DSTAND_IN_ITCM ")}) {
        for (const auto& [name, value] : macros("zephyr", flags)) {
            const bool exception = name == "AOT_PUT_IN_MRAM" || name == "AOT_PRINTF(...)";
            EXPECT_EQ(value.empty(), !exception) << name << flags;
        }
    }
    const Macros dtcm_only = macros("zephyr", on_arm + "-DSTAND_IN_DTCM");
    EXPECT_EQ(dtcm_only.at("AOT_PUT_IN_DTCM"), "__dtcm_bss_section");
    EXPECT_EQ(dtcm_only.at("AOT_PUT_CODE_IN_ITCM"), "");
}

TEST(ZephyrPlatformHeader, IncludesTheNamesOfSectionsBeforeTheirTags) {
    const std::string& text = test::demo_module("zephyr", true).at("includes-api/aot_platform.h");
    const std::size_t names = text.find("#include <zephyr/linker/sections.h>");
    EXPECT_LT(text.find("#include <zephyr/devicetree.h>"), names);
    EXPECT_LT(names, text.find("#include <zephyr/linker/section_tags.h>"));
    EXPECT_EQ(text.find("kernel.h"), std::string::npos);
}

}  // namespace
}  // namespace ingot
