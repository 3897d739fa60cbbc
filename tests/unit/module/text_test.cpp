#include "module/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace ingot::module {
namespace {

TEST(CommentText, CannotEndTheCommentOrHideWhatFollows) {
    EXPECT_EQ(comment_text("a */ b /* c // d"), "a * / b / * c / / d");
    EXPECT_EQ(comment_text("?\?/ \\"), "? ?/ _");
    EXPECT_EQ(comment_text("***/"), "*** /");
    EXPECT_EQ(comment_text("line\nbreak\t\x7f"), "line?break? ?");
    EXPECT_EQ(comment_text("Schlüssel"), "Schl?ssel");
    EXPECT_EQ(comment_text(std::string(500, 'x')).size(), 163U);
}

TEST(MarkdownText, CannotLeaveItsTableCell) {
    EXPECT_EQ(markdown_text("a|b\nc_d"), "a\\|b?c\\_d");
}

TEST(Literal, FloatsRoundTripAndAreFloats) {
    EXPECT_EQ(literal(1.0, "float"), "1.0f");
    EXPECT_EQ(literal(double{0.1F}, "float"), "0.1f");
    EXPECT_EQ(literal(1e30, "double"), "1e+30");
    EXPECT_EQ(literal(-0.0, "float"), "-0.0f");
    for (const float value : {1.0F / 3, std::numeric_limits<float>::max(),
                              std::numeric_limits<float>::denorm_min(), 1.17549435e-38F}) {
        EXPECT_EQ(std::strtof(literal(double{value}, "float").c_str(), nullptr), value);
    }
    EXPECT_EQ(literal(-std::numeric_limits<double>::infinity(), "float"), "-INFINITY");
    EXPECT_EQ(literal(std::nan(""), "double"), "(double)NAN");
}

TEST(Literal, TheLeastIntegerIsNoNegation) {
    EXPECT_EQ(literal(std::int64_t{std::numeric_limits<std::int32_t>::min()}), "INT32_MIN");
    EXPECT_EQ(literal(std::int64_t{-7}), "-7");
}

TEST(Identifier, IsOne) {
    EXPECT_EQ(identifier("my-net.v2"), "my_net_v2");
    EXPECT_EQ(identifier("2nets"), "_2nets");
    EXPECT_EQ(identifier(""), "_");
}

TEST(NumericVersion, IsThreeNumbers) {
    EXPECT_EQ(numeric_version("v1.0.0"), "1.0.0");
    EXPECT_EQ(numeric_version("2"), "2.0.0");
    EXPECT_EQ(numeric_version("v3.14"), "3.14.0");
    for (const char* text :
         {"", "v", "1.", "1.2.3.4", "1.x", "01.2", "1..2", "-1", "99999999999"}) {
        EXPECT_EQ(numeric_version(text), "1.0.0") << text;
    }
}

TEST(ByteRows, AreSignedSixteenOnALine) {
    std::vector<std::uint8_t> bytes(17, 255);
    bytes[16] = 128;
    const std::string text = byte_rows(bytes);
    EXPECT_EQ(text.substr(0, 10), "    -1, -1");
    EXPECT_EQ(text.substr(text.size() - 12), "-1,\n    -128");
    EXPECT_EQ(byte_rows({}), "");
}

TEST(Grouped, HasCommasByThousands) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(12345678), "12,345,678");
}

}  // namespace
}  // namespace ingot::module
