// What a configuration says, and where its mistakes are reported.
#include "config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/diagnostics.h"

namespace ingot::config {
namespace {

using support::Diagnostic;
using support::ExitStatus;
using support::Failure;
using testing::ElementsAre;
using testing::HasSubstr;

Config read(const std::string& yaml, const std::vector<FlagValue>& flags = {}) {
    return load(yaml, "config.yaml", flags);
}

// The mistakes of a configuration; empty when there is none.
std::vector<Diagnostic> mistakes(const std::string& yaml,
                                 const std::vector<FlagValue>& flags = {}) {
    try {
        read(yaml, flags);
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), ExitStatus::usage);
        return failure.diagnostics();
    }
    return {};
}

Diagnostic mistake(const std::string& yaml, const std::vector<FlagValue>& flags = {}) {
    const auto all = mistakes(yaml, flags);
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? Diagnostic{} : all.front();
}

TEST(Config, DefaultsAreThoseOfTheReferencePage) {
    const Config config = read("");
    EXPECT_EQ(config.module.path, ".");
    EXPECT_EQ(config.module.name, "aot_module");
    EXPECT_EQ(config.module.prefix, "aot");
    EXPECT_EQ(config.module.type, ModuleType::cmake);
    EXPECT_EQ(config.model.version, "v1.0.0");
    EXPECT_EQ(config.platform.name, "apollo510_evb");
    EXPECT_EQ(config.memory.planner, Planner::best);
    EXPECT_TRUE(config.memory.allocate_arenas);
    EXPECT_TRUE(config.memory.auto_hydrate_constants);
    EXPECT_TRUE(config.model.inputs_overwritable);
    EXPECT_FALSE(config.memory.dump_residency_json);
    EXPECT_FALSE(config.test.enabled);
    EXPECT_FALSE(config.force);
}

TEST(Config, ReadsTheReferencePagesPlacementRules) {
    const Config config = read(R"(memory:
  dump_residency_json: true
  allocate_arenas: false
  tensors:
    - attributes: { memory: DTCM }
    - type: persistent
      attributes: { memory: SRAM }
    - type: constant
      attributes:
        memory: MRAM
        constant_destination_memory: DTCM
)");
    EXPECT_TRUE(config.memory.dump_residency_json);
    EXPECT_FALSE(config.memory.allocate_arenas);
    ASSERT_EQ(config.memory.tensors.size(), 3U);
    const Rule& first = config.memory.tensors[0];
    EXPECT_EQ(first.type, "");
    EXPECT_TRUE(first.ids.empty());
    EXPECT_THAT(first.memory.value(), ElementsAre("dtcm"));
    EXPECT_FALSE(first.constant_destination_memory.has_value());
    EXPECT_EQ(first.origin.to_text(), "config.yaml:5:7");
    const Rule& last = config.memory.tensors[2];
    EXPECT_EQ(last.type, "CONSTANT");
    EXPECT_THAT(last.memory.value(), ElementsAre("mram"));
    EXPECT_THAT(last.constant_destination_memory.value(), ElementsAre("dtcm"));
    EXPECT_EQ(last.origin.to_text(), "config.yaml:8:7");
}

TEST(Config, ReadsEveryKindOfValue) {
    const Config config = read(R"(model:
  path: m.tflite
  input_shapes: {serving_input: [1, 16, 16, 3], "1": [4]}
module: {type: zephyr, schedule: static, prefix: net}
test: {enabled: yes, tolerance: 1e-3}
transforms:
  - {name: "*", enabled: false}
  - {name: fuse, options: {level: 2}}
memory:
  planner: greedy
  constraints: [{name: DTCM, max_size: 96K}, {name: sram, max_size: 1M}]
  tensors:
    - {type: scratch, id: [3, "conv_*"], attributes: {memory: [sram, dtcm], max_size: 4096}}
    - {type: "*", id: "*", attributes: {arena_alignment: 32}}
    - {type: Svdf, attributes: {constant_destination_memory: auto}}
operators:
  - {type: conv_2d, attributes: {scratch_placement: SRAM, code_placement: ITCM}}
custom_operators: [{name: MyOp, outputs: [int8]}]
kernels: {optimize: size}
numerics: {rounding: single, scales: float32}
log_file: ~
)");
    EXPECT_EQ(config.model.input_shapes.at("serving_input"),
              (std::vector<std::int64_t>{1, 16, 16, 3}));
    EXPECT_EQ(config.model.input_shapes.at("1"), std::vector<std::int64_t>{4});
    EXPECT_EQ(config.module.type, ModuleType::zephyr);
    EXPECT_EQ(config.module.schedule, Schedule::straight);
    EXPECT_TRUE(config.test.enabled);
    EXPECT_EQ(config.test.tolerance, 1e-3);
    ASSERT_EQ(config.transforms.size(), 2U);
    EXPECT_FALSE(config.transforms[0].enabled);
    EXPECT_EQ(config.transforms[1].options.at("level"), "2");
    EXPECT_EQ(config.memory.constraints[0].name, "dtcm");
    EXPECT_EQ(config.memory.constraints[0].max_size, 98304U);
    EXPECT_EQ(config.memory.constraints[1].max_size, 1048576U);
    EXPECT_THAT(config.memory.tensors[0].ids, ElementsAre("3", "conv_*"));
    EXPECT_THAT(config.memory.tensors[0].memory.value(), ElementsAre("sram", "dtcm"));
    EXPECT_TRUE(config.memory.tensors[1].ids.empty());
    EXPECT_EQ(config.memory.tensors[1].arena_alignment, 32U);
    EXPECT_EQ(config.memory.tensors[2].type, "SVDF");
    EXPECT_EQ(config.operators[0].type, "CONV_2D");
    EXPECT_THAT(config.operators[0].scratch_placement.value(), ElementsAre("sram"));
    EXPECT_EQ(config.operators[0].code_placement, "itcm");
    EXPECT_EQ(config.custom_operators[0].name, "MyOp");
    EXPECT_EQ(config.custom_operators[0].output_count, 1);
    EXPECT_EQ(config.custom_operators[0].outputs[0].type, "int8");
    EXPECT_EQ(config.optimize, Optimize::size);
    EXPECT_EQ(config.rounding, Rounding::once);
    EXPECT_EQ(config.scales, Scales::f32);
    EXPECT_FALSE(config.log_file.has_value());
    EXPECT_EQ(config.origins.at("memory.planner").to_text(), "config.yaml:10:12");
}

TEST(Config, FlagsWinOverTheFile) {
    const Config config = read("memory: {planner: greedy, allocate_arenas: true}\n",
                               {{"memory.planner", "best"},
                                {"memory.allocate_arenas", "false"},
                                {"memory.constraints", "[{name: sram, max_size: 2K}]"}});
    EXPECT_EQ(config.memory.planner, Planner::best);
    EXPECT_FALSE(config.memory.allocate_arenas);
    EXPECT_EQ(config.memory.constraints[0].max_size, 2048U);
    EXPECT_EQ(config.memory.constraints[0].origin.to_text(), "--memory.constraints");
}

TEST(Config, AliasesStandForTheirAnchor) {
    const Config config = read(
        "memory:\n  tensors:\n    - {type: scratch, attributes: &fast {memory: dtcm}}\n"
        "    - {type: constant, attributes: *fast}\n");
    EXPECT_THAT(config.memory.tensors[1].memory.value(), ElementsAre("dtcm"));
}

TEST(Config, UnknownKeyHasItsPlaceAndASuggestion) {
    const Diagnostic d = mistake("memory:\n  planer: best\n");
    EXPECT_EQ(d.where, "config.yaml:2:3");
    EXPECT_EQ(d.message, "unknown key 'planer' in memory");
    EXPECT_EQ(d.hint, "did you mean 'planner'?");
}

TEST(Config, UnknownKeyOfARuleHasItsPlace) {
    const Diagnostic d = mistake(
        "memory:\n  tensors:\n    - type: constant\n      attributes:\n        memry: MRAM\n");
    EXPECT_EQ(d.where, "config.yaml:5:9");
    EXPECT_EQ(d.hint, "did you mean 'memory'?");
}

TEST(Config, AKeyOfAnotherSectionIsNamed) {
    EXPECT_EQ(mistake("planner: best\n").hint, "did you mean 'memory.planner'?");
    EXPECT_EQ(mistake("memory.planner: best\n").hint, "write 'planner' below 'memory:'");
}

TEST(Config, ColumnsCountCharacters) {
    const Diagnostic d = mistake("model: {name: \"häß\", vesion: 1}\n");
    EXPECT_EQ(d.where, "config.yaml:1:22");
}

TEST(Config, AllMistakesAreReportedTogether) {
    const auto all = mistakes("memory:\n  planner: gredy\n  allocate_arenas: maybe\nmodules: {}\n",
                              {{"module.prefix", "int"}});
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].where, "config.yaml:2:12");
    EXPECT_EQ(all[0].hint, "did you mean 'greedy'?");
    EXPECT_EQ(all[1].where, "config.yaml:3:20");
    EXPECT_EQ(all[2].where, "config.yaml:4:1");
    EXPECT_EQ(all[2].hint, "did you mean 'module'?");
    EXPECT_EQ(all[3].where, "--module.prefix");
}

TEST(Config, DuplicateKeysAreMistakes) {
    const Diagnostic d = mistake("module:\n  name: a\n  name: b\n");
    EXPECT_EQ(d.where, "config.yaml:3:3");
    EXPECT_EQ(d.message, "duplicate key 'name'");
    EXPECT_THAT(d.hint, HasSubstr("line 2"));
}

TEST(Config, ASecondDocumentIsAMistake) {
    const Diagnostic d = mistake("force: true\n---\nforce: false\n");
    EXPECT_THAT(d.where, HasSubstr("config.yaml:2:1"));
}

TEST(Config, AnUnquotedStarGetsAHint) {
    const Diagnostic d = mistake("transforms:\n  - {name: *, enabled: false}\n");
    EXPECT_THAT(d.where, HasSubstr("config.yaml:2:"));
    EXPECT_THAT(d.hint, HasSubstr("quote"));
}

struct BadValue {
    const char* yaml;
    const char* where;
};

class BadValues : public testing::TestWithParam<BadValue> {};

TEST_P(BadValues, AreRefusedAtTheirPlace) {
    const auto all = mistakes(GetParam().yaml);
    ASSERT_FALSE(all.empty()) << GetParam().yaml;
    EXPECT_EQ(all.front().where, GetParam().where) << GetParam().yaml;
}

INSTANTIATE_TEST_SUITE_P(
    Config, BadValues,
    testing::Values(
        BadValue{"module: {prefix: 1net}", "config.yaml:1:18"},
        BadValue{"module: {prefix: _net}", "config.yaml:1:18"},
        BadValue{"module: {prefix: class}", "config.yaml:1:18"},
        BadValue{"module: {prefix: ''}", "config.yaml:1:18"},
        BadValue{"module: {prefix: a-b}", "config.yaml:1:18"},
        BadValue{"module: {name: a/b}", "config.yaml:1:16"},
        BadValue{"module: {name: ..}", "config.yaml:1:16"},
        BadValue{"module: {name: 'a\\b'}", "config.yaml:1:16"},
        BadValue{"module: {name: ''}", "config.yaml:1:16"},
        BadValue{"module: {name: \"a\\0b\"}", "config.yaml:1:16"},
        BadValue{"module: {type: Cmake}", "config.yaml:1:16"},
        BadValue{"module: [a]", "config.yaml:1:9"},
        BadValue{"model: {subgraph: -1}", "config.yaml:1:19"},
        BadValue{"model: {subgraph: 010}", "config.yaml:1:19"},
        BadValue{"model: {subgraph: 1e3}", "config.yaml:1:19"},
        BadValue{"model: {input_shapes: {a: [0]}}", "config.yaml:1:28"},
        BadValue{"test: {tolerance: -1}", "config.yaml:1:19"},
        BadValue{"test: {tolerance: .nan}", "config.yaml:1:19"},
        BadValue{"memory: {constraints: [{name: a, max_size: 1.5M}]}", "config.yaml:1:44"},
        BadValue{"memory: {constraints: [{name: a, max_size: 99999999999999999999}]}",
                 "config.yaml:1:44"},
        BadValue{"memory: {constraints: [{max_size: 1}]}", "config.yaml:1:24"},
        BadValue{"memory: {constraints: [{name: a}]}", "config.yaml:1:24"},
        BadValue{"memory: {constraints: [{name: a, max_size: 1}, {name: b, max_size: 1}, "
                 "{name: A, max_size: 1}]}",
                 "config.yaml:1:72"},
        BadValue{"memory: {tensors: [{type: constnat}]}", "config.yaml:1:27"},
        BadValue{"memory: {tensors: [{attributes: {arena_alignment: 24}}]}", "config.yaml:1:51"},
        BadValue{"memory: {tensors: [{type: scratch, attributes: "
                 "{constant_destination_memory: dtcm}}]}",
                 "config.yaml:1:78"},
        BadValue{"platform: {cpu: cortex-m99}", "config.yaml:1:17"},
        BadValue{"platform: {memories: [{name: 'a b'}]}", "config.yaml:1:23"},
        BadValue{"platform: {memories: [{name: a}, {name: A}]}", "config.yaml:1:34"},
        BadValue{"- a", "config.yaml:1:1"}, BadValue{"? [a]\n: b", "config.yaml:1:3"},
        BadValue{"a: !mine b", "config.yaml:1:4"}, BadValue{"<<: {a: b}", "config.yaml:1:1"},
        BadValue{"force: \xff", "config.yaml:1:8"}));

TEST(Config, HostileTextIsRefusedCleanly) {
    EXPECT_FALSE(mistakes(std::string(100000, '[')).empty());
    EXPECT_FALSE(mistakes(std::string(100000, '{')).empty());
    std::string dashes;
    for (int i = 0; i < 50000; ++i) dashes += "- ";
    EXPECT_FALSE(mistakes(dashes).empty());
    EXPECT_FALSE(mistakes(std::string((std::size_t{1} << 20) + 1, ' ')).empty());
    EXPECT_FALSE(mistakes("a: &a [*a]").empty());
    std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string before = "*a" + std::to_string(i - 1) + ", ";
        std::string list;
        for (int k = 0; k < 10; ++k) list += before;
        laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + list + "]\n";
    }
    EXPECT_THAT(mistake(laughs).message, HasSubstr("too many values"));
}

TEST(Config, ControlCharactersDoNotReachMessages) {
    const Diagnostic d = mistake("\"\\e[31mkey\": 1\n");
    EXPECT_EQ(d.message.find('\x1b'), std::string::npos);
}

TEST(Config, SizesAreBytesOrUnitsOf1024) {
    EXPECT_EQ(parse_size("4096"), 4096U);
    EXPECT_EQ(parse_size("96K"), 98304U);
    EXPECT_EQ(parse_size("1M"), 1048576U);
    EXPECT_EQ(parse_size("0"), 0U);
    for (const char* bad : {"", "K", "-1", "+1", "1.5K", "0x10", "1 K", "1KB", "010",
                            "18446744073709551616", "18446744073709551615K"}) {
        EXPECT_FALSE(parse_size(bad).has_value()) << bad;
    }
}

TEST(Config, ASecondBudgetNamesTheLineOfTheFirst) {
    const Diagnostic d = mistake(
        "memory:\n  constraints:\n    - {name: a, max_size: 1}\n    - {name: a, max_size: 2}\n");
    EXPECT_EQ(d.where, "config.yaml:4:7");
    EXPECT_EQ(d.hint, "it is given on line 3 already");
    EXPECT_EQ(
        mistake("", {{"memory.constraints", "[{name: a, max_size: 1}, {name: a, max_size: 1}]"}})
            .where,
        "--memory.constraints");
}

TEST(Config, EntriesGiveTheSameListAgain) {
    const std::string rules =
        "[{type: constant, id: [\"it\\x27s\", \"a \\\"b\\\" \\\\ c\", conv_1/x.y, \"12\", \"*\", "
        "\"\\x0a\", \"é\", \"no\", \"~\", \"\"], attributes: {max_size: 12K, memory: [a, b]}}, "
        "{attributes: {memory: a}}]";
    Config first = read("", {{"memory.tensors", rules}});
    const std::string text = flow_list(first.entries.at("memory.tensors"), {});
    EXPECT_EQ(text.find('\''), std::string::npos);
    EXPECT_THAT(text, HasSubstr("{max_size: 12K, memory: [a, b]}}, {attributes: {memory: a}}]"));
    const Config second = read("memory: {tensors: " + text + "}");
    ASSERT_EQ(second.memory.tensors.size(), 2U);
    EXPECT_EQ(second.memory.tensors[0].ids, first.memory.tensors[0].ids);
    EXPECT_THAT(first.memory.tensors[0].ids, ElementsAre("it's", "a \"b\" \\ c", "conv_1/x.y", "12",
                                                         "*", "\n", "é", "no", "~", ""));
    EXPECT_EQ(second.memory.tensors[0].max_size, 12288U);
    EXPECT_EQ(second.entries, first.entries);
    set(first, {"memory.tensors", "[]"});
    EXPECT_TRUE(first.memory.tensors.empty());
    EXPECT_TRUE(first.entries.at("memory.tensors").empty());
    EXPECT_THROW(set(first, {"memory.tensors", "[{typ: a}]"}), support::Failure);
    EXPECT_EQ(flow_list({"a"}, {"b", "c"}), "[a, b, c]");
}

TEST(Config, UnknownFlagKeyHasASuggestion) {
    const Diagnostic d = mistake("", {{"memory.planer", "best"}});
    EXPECT_EQ(d.where, "--memory.planer");
    EXPECT_EQ(d.hint, "did you mean 'memory.planner'?");
}

TEST(Config, EveryKeyIsDescribed) {
    for (const KeyInfo& key : keys()) {
        EXPECT_FALSE(key.description.empty()) << key.key;
        EXPECT_FALSE(key.value.empty()) << key.key;
        EXPECT_EQ(key.boolean, key.value == "BOOL") << key.key;
    }
    EXPECT_EQ(keys().front().key, "model.path");
}

}  // namespace
}  // namespace ingot::config
