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

TEST(Image, ReadsSections) {
    // A header with two sections, the table of names and one of three bytes.
    std::vector<std::uint8_t> bytes(52 + 3 * 40 + 32, 0);
    const auto put = [&bytes](std::size_t at, std::uint32_t value) {
        for (std::size_t i = 0; i < 4; ++i) {
            bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
        }
    };
    put(0, 0x464C457F);
    put(4, 0x00010101);
    put(0x20, 52);           // section table
    put(0x30, 3 | 1 << 16);  // three sections, names in number 1
    const std::size_t data = 52 + 3 * 40;
    put(52 + 40 + 16, data);
    put(52 + 80, 1);  // name at 1
    put(52 + 80 + 16, data + 16);
    put(52 + 80 + 20, 3);
    const std::string names = std::string("\0.text", 7);
    std::copy(names.begin(), names.end(), bytes.begin() + static_cast<std::ptrdiff_t>(data));
    bytes[data + 16] = 7;
    const Image image(bytes, "program");
    EXPECT_EQ(image.size(".text"), 3U);
    EXPECT_EQ(image.size(".data"), 0U);
    ASSERT_EQ(image.contents(".text").size(), 3U);
    EXPECT_EQ(image.contents(".text")[0], 7);
    EXPECT_TRUE(image.contents(".data").empty());
}

TEST(Toolchain, SplitsAtBlanks) {
    EXPECT_THAT(split("  ccache gcc\t-Os "), ElementsAre("ccache", "gcc", "-Os"));
    EXPECT_TRUE(split("").empty());
}

}  // namespace
}  // namespace ingot::verify
