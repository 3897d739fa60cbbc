#include "verify/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/diagnostics.h"
#include "verify/elf.h"
#include "verify/toolchain.h"

namespace ingot::verify {
namespace {

using support::ExitStatus;
using support::Failure;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

support::Diagnostic refusal(const std::string& text) {
    try {
        place_name(text);
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), ExitStatus::usage);
        return failure.diagnostics().front();
    }
    ADD_FAILURE() << text << " was taken";
    return {};
}

TEST(Boards, PlacesInOrder) {
    EXPECT_THAT(places(), ElementsAre("host", "cortex-m0", "cortex-m3", "cortex-m4", "cortex-m7",
                                      "cortex-m33", "cortex-m55"));
}

TEST(Boards, EveryCoreHasABoard) {
    for (const std::string& place : places()) {
        if (place == kHost) continue;
        const Board found = board(place);
        EXPECT_EQ(found.core, place);
        EXPECT_EQ(found.flags.front(), "-mcpu=" + place);
        EXPECT_THAT(found.machine, HasSubstr("mps"));
        for (const Block* block : {&found.code, &found.data, &found.large}) {
            EXPECT_GE(block->size, std::uint64_t{512} << 10) << place;
        }
    }
}

TEST(Boards, CoresByAnyUsualName) {
    EXPECT_EQ(place_name("M4"), "cortex-m4");
    EXPECT_EQ(place_name("Cortex_M33"), "cortex-m33");
    EXPECT_EQ(place_name("cortex-m55"), "cortex-m55");
    EXPECT_EQ(place_name("host"), "host");
}

TEST(Boards, CoresWithoutAMachine) {
    EXPECT_THAT(refusal("m85").message, HasSubstr("no machine with a cortex-m85"));
    EXPECT_THAT(refusal("m85").hint, HasSubstr("--on cortex-m55 --platform.cpu cortex-m85"));
    EXPECT_THAT(refusal("cortex-m0+").hint, HasSubstr("--on cortex-m0 "));
    EXPECT_THAT(refusal("m23").hint, HasSubstr("--on cortex-m0 "));
}

TEST(Boards, UnknownPlaces) {
    EXPECT_THAT(refusal("cortex-m9").hint, HasSubstr("did you mean"));
    EXPECT_THAT(refusal("riscv").hint, HasSubstr("host, cortex-m0"));
    EXPECT_THAT(refusal("generic").hint, HasSubstr("host, cortex-m0"));
}

TEST(Image, RefusesWhatIsNone) {
    EXPECT_THROW(Image({}, "program"), Failure);
    EXPECT_THROW(Image({0x7F, 'E', 'L', 'F', 1, 1}, "program"), Failure);
    EXPECT_THROW(Image(std::vector<std::uint8_t>(64, 0xFF), "program"), Failure);
    // 64-bit.
    EXPECT_THROW(Image({0x7F, 'E', 'L', 'F', 2, 1, 1, 0}, "program"), Failure);
}

struct SectionRow {
    std::string name;
    std::uint32_t type = 1;  // PROGBITS; 8 is NOBITS
    std::uint32_t flags = 0;
    std::uint32_t size = 0;
};

// A header, the table of sections, their names, and three bytes that all of them begin with.
Image image_of(const std::vector<SectionRow>& rows) {
    std::string names(1, '\0');
    std::vector<std::uint8_t> bytes(52 + (rows.size() + 1) * 40, 0);
    const auto put = [&bytes](std::size_t at, std::size_t value) {
        for (std::size_t i = 0; i < 4; ++i) {
            bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
        }
    };
    put(0, 0x464C457F);
    put(4, 0x00010101);
    put(0x20, 52);                 // the table
    put(0x30, (rows.size() + 1));  // names are section 0
    put(52 + 16, bytes.size() + 3);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t at = 52 + (i + 1) * 40;
        put(at, names.size());
        put(at + 4, rows[i].type);
        put(at + 8, rows[i].flags);
        put(at + 16, bytes.size());
        put(at + 20, rows[i].size);
        names += rows[i].name + '\0';
    }
    const std::vector<std::uint8_t> content = {7, 8, 9};
    bytes.insert(bytes.end(), content.begin(), content.end());
    bytes.insert(bytes.end(), names.begin(), names.end());
    return Image(bytes, "program");
}

TEST(Image, ReadsContents) {
    const Image image = image_of({{".counts", 1, 0, 3}});
    ASSERT_EQ(image.contents(".counts").size(), 3U);
    EXPECT_EQ(image.contents(".counts")[0], 7);
    EXPECT_TRUE(image.contents(".data").empty());
}

TEST(Image, AddsUpSectionsOfAnyName) {
    constexpr std::uint32_t kWrite = 1;
    constexpr std::uint32_t kAlloc = 2;
    constexpr std::uint32_t kExec = 4;
    const Sizes sizes = image_of({{".text", 1, kAlloc | kExec, 100},
                                  {".itcm_text", 1, kAlloc | kExec, 10},
                                  {".rodata", 1, kAlloc, 2000},
                                  {".qspi", 1, kAlloc, 200},
                                  {".data", 1, kAlloc | kWrite, 30000},
                                  {".dtcm", 1, kAlloc | kWrite, 3000},
                                  {".bss", 8, kAlloc | kWrite, 400000},
                                  {".dtcm_bss", 8, kAlloc | kWrite, 40000},
                                  {".target_text", 1, kAlloc | kExec, 7},
                                  {".target_stack", 8, kAlloc | kWrite, 7},
                                  {".comment", 1, 0, 7}})
                            .sizes(".target_");
    EXPECT_EQ(sizes.text, 110U);
    EXPECT_EQ(sizes.rodata, 2200U);
    EXPECT_EQ(sizes.data, 33000U);
    EXPECT_EQ(sizes.bss, 440000U);
}

TEST(Toolchain, SplitsAtBlanks) {
    EXPECT_THAT(split("  ccache gcc\t-Os "), ElementsAre("ccache", "gcc", "-Os"));
    EXPECT_TRUE(split("").empty());
}

}  // namespace
}  // namespace ingot::verify
