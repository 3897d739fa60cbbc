#include "module/render.h"

#include <gtest/gtest.h>

namespace ingot::module {
namespace {

using nlohmann::json;

TEST(Render, InsertsValuesAsTheyAre) {
    EXPECT_EQ(render_text("t", "{<%a%>, <%b%>} {{1, 2}}\n", {{"a", "<&\"'>"}, {"b", 7}}),
              "{<&\"'>, 7} {{1, 2}}\n");
}

TEST(Render, LinesOfSectionTagsLeaveNoLines) {
    const std::string text =
        "a\n<%#on%>\n\nb\n<%/on%>\n<%#off%>\nc\n<%/off%>\n<%^off%>\nd\n<%/off%>\ne\n";
    EXPECT_EQ(render_text("t", text, {{"on", true}, {"off", false}}), "a\n\nb\nd\ne\n");
}

TEST(Render, SectionsRepeatForListsAndSeeWhatIsOutside) {
    const json data = {{"list", {{{"n", 1}}, {{"n", 2}}}}, {"p", "x"}, {"none", json::array()}};
    EXPECT_EQ(
        render_text("t", "<%#list%>\n<%p%><%n%>\n<%/list%>\n<%#none%>\n<%q%>\n<%/none%>\n", data),
        "x1\nx2\n");
}

TEST(Render, ValuesKeepTheirOwnLines) {
    EXPECT_EQ(render_text("t", "<%#a%>\n<%v%>\n<%/a%>\n", {{"a", true}, {"v", "\n\n1\n"}}),
              "\n\n1\n\n");
}

TEST(Render, AMissingNameIsAFault) {
    EXPECT_THROW(render_text("t", "<%a%>", json::object()), std::logic_error);
    EXPECT_THROW(render_text("t", "<%#a%>x<%/a%>", json::object()), std::logic_error);
    EXPECT_THROW(render_text("t", "<%#l%><%a%><%/l%>", {{"l", {{{"b", 1}}}}}), std::logic_error);
    EXPECT_THROW(render_text("t", "<%^off%><%a%><%/off%>", {{"off", false}}), std::logic_error);
    EXPECT_NO_THROW(render_text("t", "<%#off%><%a%><%/off%>", {{"off", false}}));
}

TEST(Render, AMalformedTemplateIsAFault) {
    EXPECT_THROW(render_text("t", "<%#a%>x", {{"a", true}}), std::logic_error);
    EXPECT_THROW(render_text("t", "<%a", {{"a", "b"}}), std::logic_error);
}

}  // namespace
}  // namespace ingot::module
