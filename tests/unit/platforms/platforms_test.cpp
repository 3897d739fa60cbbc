// The built-in platforms, overrides, and descriptions from files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "config/config.h"
#include "platforms/platform.h"
#include "support/diagnostics.h"

namespace ingot::platforms {
namespace {

using support::ExitStatus;
using support::Failure;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

Platform configured(const std::string& yaml) {
    return resolve(config::load(yaml, "config.yaml", {}).platform);
}

Platform named(const std::string& name) {
    return configured("platform: {name: " + name + "}");
}

support::Diagnostic mistake(const std::string& yaml) {
    try {
        configured(yaml);
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), ExitStatus::usage);
        return failure.diagnostics().front();
    }
    ADD_FAILURE() << yaml << " was accepted";
    return {};
}

TEST(Platforms, EveryBuiltInOneCanBeRead) {
    EXPECT_GE(names().size(), 30U);
    for (const std::string& name : names()) {
        const Platform platform = named(name);
        EXPECT_EQ(platform.name, name);
        EXPECT_FALSE(platform.vendor.empty()) << name;
        EXPECT_FALSE(platform.source.empty()) << name;
        EXPECT_FALSE(platform.description.empty()) << name;
    }
}

TEST(Platforms, TheDefaultOneIsThatOfTheReference) {
    const Platform platform = configured("");
    EXPECT_EQ(platform.name, "apollo510_evb");
    EXPECT_EQ(platform.vendor, "Ambiq");
    EXPECT_EQ(platform.cpu, "cortex-m55");
    EXPECT_EQ(platform.find("DTCM")->size, 507904U);
    EXPECT_THAT(platform.order[0], ElementsAre("dtcm", "sram", "psram"));
    EXPECT_THAT(platform.order[2], ElementsAre("dtcm", "sram", "mram", "psram"));
    EXPECT_FALSE(platform.find("mram")->writable);
    EXPECT_TRUE(platform.find("itcm")->code_only);
    EXPECT_EQ(platform.find("flash"), nullptr);
}

struct Size {
    const char* platform;
    const char* memory;
    std::uint64_t kibibytes;
};

class Sizes : public testing::TestWithParam<Size> {};

TEST_P(Sizes, AreThoseOfTheTable) {
    const Size& row = GetParam();
    const Platform platform = named(row.platform);
    ASSERT_NE(platform.find(row.memory), nullptr) << row.platform;
    EXPECT_EQ(platform.find(row.memory)->size, row.kibibytes * 1024) << row.platform;
}

INSTANTIATE_TEST_SUITE_P(
    Platforms, Sizes,
    testing::Values(Size{"apollo510b_evb", "mram", 4096}, Size{"apollo330mp_evb", "sram", 1792},
                    Size{"apollo4l_blue_evb", "dtcm", 384}, Size{"apollo4p_evb", "mram", 2000},
                    Size{"apollo3p_evb", "sram", 700}, Size{"nucleo_l4r5zi", "flash", 2048},
                    Size{"nrf52840dk", "sram", 256}, Size{"nrf5340dk", "sram", 512},
                    Size{"stm32f746g_disco", "dtcm", 64}, Size{"stm32h743", "sram", 864},
                    Size{"rp2040", "sram", 264}, Size{"rp2350", "flash", 4096},
                    Size{"ek_ra8d1", "sram", 896}, Size{"alif_e7_hp", "mram", 5632}));

TEST(Platforms, GenericOnesHaveNoLimit) {
    for (const char* name : {"host", "generic_cortex_m0", "generic_cortex_m85"}) {
        const Platform platform = named(name);
        for (const Memory& memory : platform.memories) EXPECT_FALSE(memory.size) << name;
        EXPECT_THAT(platform.order[2], ElementsAre("flash")) << name;
    }
}

TEST(Platforms, MisspeltNameGetsASuggestion) {
    const auto d = mistake("platform:\n  name: apolo510_evb\n");
    EXPECT_EQ(d.where, "config.yaml:2:9");
    EXPECT_EQ(d.hint, "did you mean 'apollo510_evb'?");
}

TEST(Platforms, ListedMemoriesReplaceAndInherit) {
    const Platform platform = configured(
        "platform:\n  name: apollo510_evb\n  memories: [{name: dtcm, size: 64K}, "
        "{name: mram}, {name: xram, size: 1M, kind: volatile}]\n");
    ASSERT_EQ(platform.memories.size(), 3U);
    EXPECT_EQ(platform.find("dtcm")->size, 65536U);
    EXPECT_EQ(platform.find("mram")->size, 4096U * 1024);
    EXPECT_FALSE(platform.find("mram")->writable);
    EXPECT_THAT(platform.order[0], ElementsAre("dtcm", "xram"));
    EXPECT_THAT(platform.order[2], ElementsAre("dtcm", "mram"));
}

TEST(Platforms, MemoriesWithoutANameMakeAPlatform) {
    const Platform platform = configured(
        "platform:\n  cpu: M4\n  memories: [{name: flash, size: 1M, kind: nonvolatile}, "
        "{name: ram, size: 128K}]\n");
    EXPECT_EQ(platform.cpu, "cortex-m4");
    EXPECT_THAT(platform.features, ElementsAre("dsp"));
    EXPECT_THAT(platform.order[0], ElementsAre("ram"));
    EXPECT_THAT(platform.order[1], ElementsAre("ram"));
    EXPECT_THAT(platform.order[2], ElementsAre("flash"));
}

TEST(Platforms, OverridesOneFieldOfANamedOne) {
    const Platform platform = configured(
        "platform: {name: stm32h743, order: {constant: [DTCM, flash]}, min_alignment: 32, "
        "vendor: Mine, cpu: cortex-m33, features: [dsp]}");
    EXPECT_THAT(platform.order[2], ElementsAre("dtcm", "flash"));
    EXPECT_EQ(platform.min_alignment, 32U);
    EXPECT_EQ(platform.vendor, "Mine");
    EXPECT_EQ(platform.cpu, "cortex-m33");
}

TEST(Platforms, MistakesInOrdersAreFound) {
    EXPECT_EQ(mistake("platform: {name: stm32h743, order: {scratch: [dtcn]}}").hint,
              "did you mean 'dtcm'?");
    EXPECT_THAT(mistake("platform: {name: stm32h743, order: {scratch: [flash]}}").message,
                HasSubstr("not writable"));
    EXPECT_THAT(mistake("platform: {name: stm32h743, order: {scratch: [dtcm, dtcm]}}").message,
                HasSubstr("twice"));
    EXPECT_THAT(mistake("platform: {memories: []}").message, HasSubstr("no memories"));
    EXPECT_THAT(mistake("platform: {memories: [{name: rom, kind: nonvolatile}]}").message,
                HasSubstr("no memory"));
}

class PlatformFile : public testing::Test {
  protected:
    std::filesystem::path path_ =
        std::filesystem::temp_directory_path() / "ingot_platform_test.yaml";
    void TearDown() override { std::filesystem::remove(path_); }
    void write(const std::string& text) { std::ofstream(path_) << text; }
    std::string config() const { return "platform: {name: '" + path_.string() + "'}"; }
};

TEST_F(PlatformFile, IsReadFromItsPath) {
    write(
        "name: mine\ncpu: cortex-m7\nmemories:\n  - {name: flash, size: 1M, kind: nonvolatile}\n"
        "  - {name: ram, size: 64K}\n");
    const Platform platform = configured(config());
    EXPECT_EQ(platform.name, "mine");
    EXPECT_EQ(platform.find("ram")->size, 65536U);
    EXPECT_THAT(platform.order[2], ElementsAre("flash"));
}

TEST_F(PlatformFile, SpellsItsPlacementMacros) {
    const std::string text =
        "name: mine\nmemories: [{name: ram}, {name: rom, kind: nonvolatile}]\n"
        "section_macros:\n  PUT_IN_RAM: '__attribute__((section(\".fast\")))'\n";
    write(text + "  put_in_rom_init: ''\n  PUT_CODE_IN_ITCM: RUN_FAST\n");
    const Platform platform = configured(config());
    EXPECT_EQ(platform.section_macros.at("PUT_IN_RAM"), "__attribute__((section(\".fast\")))");
    EXPECT_EQ(platform.section_macros.count("PUT_IN_ROM_INIT"), 1U);
    write(text + "  PLACE_RAM: a\n");
    EXPECT_EQ(mistake(config()).where, path_.string() + ":5:3");
    write(text + "  PUT_IN_RAN: a\n");
    EXPECT_EQ(mistake(config()).hint, "did you mean 'ram'?");
    for (const char* value : {"\"a\\nb\"", "a /* b", "'a \\'"}) {
        write(text + "  PUT_IN_ROM: " + value + "\n");
        EXPECT_THAT(mistake(config()).message, HasSubstr("is no text of a macro")) << value;
    }
    EXPECT_EQ(configured("platform: {section_macros: {PUT_IN_DTCM: FAST}}")
                  .section_macros.at("PUT_IN_DTCM"),
              "FAST");
}

TEST_F(PlatformFile, HasItsMistakesPlaced) {
    write("name: mine\nmemorys: []\n");
    const auto d = mistake(config());
    EXPECT_EQ(d.where, path_.string() + ":2:1");
    EXPECT_EQ(d.hint, "did you mean 'memories'?");
}

TEST_F(PlatformFile, ThatIsMissingIsAnInputError) {
    try {
        configured(config());
        FAIL();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), ExitStatus::io);
    }
}

TEST(Platforms, FindIgnoresCase) {
    EXPECT_THAT(names(), Contains("mps3_an547"));
    EXPECT_NE(named("mps3_an547").find("DtCm"), nullptr);
}

}  // namespace
}  // namespace ingot::platforms
