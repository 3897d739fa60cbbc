// Holds the module of the demo model against the reference: the list of files, and every public
// and advanced declaration of every header, with names, types, values, extents and conditions.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "unit/driver/c_header.h"
#include "unit/driver/demo_module.h"

namespace ingot {
namespace {

using nlohmann::json;
using test::demo_module;
using test::Header;
using test::Member;
using test::normalized;
using test::reference;

std::set<std::string> names(const support::FileSet& files) {
    std::set<std::string> result;
    for (const auto& [path, text] : files) result.insert(path);
    return result;
}

bool promised(const json& row) {
    return row.at("stability") != "internal";
}

/// Values that follow Ingot's own plan: never above the published ones.
bool own_value(const std::string& macro) {
    const std::string suffix = "_size";
    return macro.rfind("aot_arena_", 0) == 0 && macro.size() > suffix.size() &&
           macro.compare(macro.size() - suffix.size(), suffix.size(), suffix) == 0;
}

const Member* find(const std::vector<Member>& members, const std::string& name) {
    for (const Member& member : members) {
        if (member.name == name) return &member;
    }
    return nullptr;
}

std::string text_or_empty(const json& value) {
    return value.is_null() ? "" : normalized(value.get<std::string>());
}

void check_functions(const json& wanted, const Header& header) {
    for (const json& row : wanted) {
        if (!promised(row)) continue;
        const std::string signature = normalized(row.at("signature").get<std::string>());
        std::set<std::string> found;
        for (const auto& [name, prototype] : header.functions) found.insert(prototype);
        EXPECT_EQ(found.count(signature), 1U) << signature;
    }
}

void check_enums(const json& wanted, const Header& header) {
    for (const auto& [name, definition] : wanted.items()) {
        if (!promised(definition)) continue;
        ASSERT_EQ(header.enums.count(name), 1U) << name;
        const std::vector<Member>& members = header.enums.at(name);
        std::size_t checked = 0;
        for (const json& row : definition.at("members")) {
            if (!promised(row)) continue;
            const std::string member = row.at("name").get<std::string>();
            const Member* found = find(members, member);
            ASSERT_NE(found, nullptr) << member;
            EXPECT_EQ(found->value, std::to_string(row.at("value").get<int>())) << member;
            ++checked;
        }
        // Where the reference promises all members, there are no others.
        if (checked == definition.at("members").size()) {
            EXPECT_EQ(members.size(), checked) << name;
        }
    }
}

void check_structs(const json& wanted, const Header& header) {
    for (const auto& [name, definition] : wanted.items()) {
        if (!promised(definition)) continue;
        ASSERT_EQ(header.structs.count(name), 1U) << name;
        const std::vector<Member>& fields = header.structs.at(name);
        const json& rows = definition.at("fields");
        ASSERT_EQ(fields.size(), rows.size()) << name;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(fields[i].name, rows[i].at("name").get<std::string>());
            EXPECT_EQ(fields[i].type, normalized(rows[i].at("type").get<std::string>()));
            EXPECT_EQ(fields[i].extent, text_or_empty(rows[i].at("extent")));
        }
    }
}

void check_data(const json& wanted, const Header& header, bool allocate_arenas) {
    for (const json& row : wanted) {
        const std::string name = row.at("name").get<std::string>();
        const bool replaced = !allocate_arenas && name == "aot_arena_buffers";
        EXPECT_EQ(header.data.count(name), replaced ? 0U : 1U) << name;
        if (!promised(row) || replaced || header.data.count(name) == 0) continue;
        EXPECT_EQ(header.data.at(name).type, normalized(row.at("type").get<std::string>())) << name;
        EXPECT_EQ(header.data.at(name).extent, text_or_empty(row.at("extent"))) << name;
    }
}

void check_macros(const json& wanted, const Header& header) {
    for (const json& row : wanted) {
        // Those that differ by module type: platform_header_test.cpp.
        if (!promised(row) || row.contains("module_type")) continue;
        const std::string name = row.at("name").get<std::string>();
        ASSERT_EQ(header.macros.count(name), 1U) << name;
        const test::Macro& macro = header.macros.at(name);
        const std::string value = text_or_empty(row.at("value"));
        if (name == "AOT_PLAN_HASH") {
            EXPECT_EQ(macro.value.size(), value.size());
        } else if (own_value(name)) {
            EXPECT_LE(std::stoul(macro.value), std::stoul(value)) << name;
        } else {
            EXPECT_EQ(macro.value, value) << name;
        }
        const std::string condition = row.at("defined_when").get<std::string>();
        if (condition != "always") {
            EXPECT_EQ("!defined(" + macro.condition + ")", condition) << name;
        }
    }
}

/// A module type, and whether the module allocates its arenas.
class Conformance : public testing::TestWithParam<std::tuple<const char*, bool>> {
  protected:
    std::string type() const { return std::get<0>(GetParam()); }
    bool allocated() const { return std::get<1>(GetParam()); }
    const support::FileSet& files() const { return demo_module(type(), allocated()); }
};

TEST_P(Conformance, FilesAreThoseOfTheReference) {
    const json& types = reference().at("module_types");
    const json& facts = types.at(type());
    std::set<std::string> wanted = facts.at("files").get<std::set<std::string>>();
    EXPECT_EQ(wanted.size(), facts.at("file_count").get<std::size_t>());
    for (const json& file : facts.at("build_manifest")) EXPECT_EQ(wanted.count(file), 1U) << file;
    if (!allocated()) {
        // The reference has the variant of two types; the files are the same in all.
        const json& variant = types.at("cmake").at("external_arenas_variant");
        EXPECT_EQ(facts.value("external_arenas_variant", variant), variant);
        for (const json& file : variant.at("adds")) wanted.insert(file.get<std::string>());
        for (const json& file : variant.at("removes")) wanted.erase(file.get<std::string>());
    }
    EXPECT_EQ(names(files()), wanted);
}

TEST_P(Conformance, PublicAndAdvancedDeclarationsAreThoseOfTheReference) {
    for (const auto& [name, wanted] : reference().at("headers").items()) {
        SCOPED_TRACE(name);
        const Header header =
            test::parse_header(files().at(wanted.at("declared_in").get<std::string>()));
        const auto part = [&wanted = wanted](const char* kind) {
            return wanted.value(kind, json::array());
        };
        check_functions(part("functions"), header);
        check_enums(wanted.value("enums", json::object()), header);
        check_structs(wanted.value("structs", json::object()), header);
        check_data(part("data"), header, allocated());
        check_macros(part("macros"), header);
        const json callbacks = wanted.value("callbacks", json::object());
        for (const auto& [callback, row] : callbacks.items()) {
            EXPECT_EQ(header.callbacks.at(callback),
                      normalized(row.at("signature").get<std::string>()));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Types, Conformance,
                         testing::Combine(testing::ValuesIn(test::kModuleTypes), testing::Bool()),
                         [](const auto& variant) {
                             return std::string(std::get<0>(variant.param)) +
                                    (std::get<1>(variant.param) ? "_generated" : "_external");
                         });

class ExternalArenas : public testing::TestWithParam<const char*> {};

TEST_P(ExternalArenas, DeclarationsAreThoseOfTheReference) {
    const char* path = "includes-api/aot_tensors.h";
    const Header external = test::parse_header(demo_module(GetParam(), false).at(path));
    const Header generated = test::parse_header(demo_module(GetParam(), true).at(path));
    for (const json& row : reference().at("external_arenas")) {
        const std::string wanted = normalized(row.at("declaration").get<std::string>());
        const std::string before = wanted.substr(0, wanted.find('('));
        const std::string name = before.substr(before.find_last_of(" *") + 1);
        ASSERT_EQ(external.functions.count(name), 1U) << name;
        EXPECT_EQ(external.functions.at(name), wanted);
        EXPECT_EQ(generated.functions.count(name), 0U) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Types, ExternalArenas, testing::ValuesIn(test::kModuleTypes));

TEST(HeaderParser, ReadsWhatItIsGiven) {
    const Header header = test::parse_header(
        "/* x */\n#ifndef G\n#define G\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
        "#ifndef A\n#define A(...) ((void)0)\n#endif\n"
        "typedef enum { a = 3, b, c = 9 } e_t;\ntypedef struct { const int8_t *p[n]; } s_t;\n"
        "typedef void (*cb)(int x);\nextern const void *const table[4];\nint f(void *p);\n"
        "#ifdef __cplusplus\n}\n#endif\n#endif\n");
    EXPECT_EQ(header.enums.at("e_t")[1].value, "4");
    EXPECT_EQ(header.structs.at("s_t")[0].type, "const int8_t*");
    EXPECT_EQ(header.structs.at("s_t")[0].extent, "n");
    EXPECT_EQ(header.callbacks.at("cb"), "void(*cb)(int x)");
    EXPECT_EQ(header.data.at("table").type, "const void*const");
    EXPECT_EQ(header.functions.at("f"), "int f(void*p)");
    EXPECT_EQ(header.macros.at("A(...)").value, "((void)0)");
    EXPECT_EQ(header.macros.at("A(...)").condition, "A");
}

}  // namespace
}  // namespace ingot
