// The module of a small program made by hand: its text, and what C compilers make of it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "report/residency.h"
#include "support/hash.h"
#include "unit/module/small_program.h"

namespace ingot::test {
namespace {

namespace fs = std::filesystem;

/// A folder for one test, empty at its beginning.
fs::path work_folder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    const fs::path folder = fs::path(INGOT_BUILD_DIR) / "tests" / "work" / "module" / info->name();
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
}

void write(const fs::path& folder, const support::FileSet& files) {
    for (const auto& [path, text] : files) {
        fs::create_directories((folder / path).parent_path());
        std::ofstream(folder / path, std::ios::binary) << text;
    }
}

int shell(const std::string& command) {
    const int status = std::system(command.c_str());
    return status == -1 ? -1 : WEXITSTATUS(status);
}

const std::string kWarnings =
    " -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wcast-qual -Werror ";
const std::string kC = " -Wstrict-prototypes -Wmissing-prototypes ";
const std::string kSanitize = " -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all ";

/// Compiles the modules in `folder` with main.c in every language, and runs each program.
void build_and_run(const fs::path& folder) {
    const std::string compilers[] = {"gcc -std=c99" + kC, "clang -std=c11" + kC,
                                     "g++ -x c++ -std=c++17", "clang++ -x c++ -std=c++17"};
    for (const std::string& compiler : compilers) {
        const std::string place = "cd '" + folder.string() + "' && ";
        ASSERT_EQ(shell(place + compiler + kWarnings + kSanitize +
                        " $(for i in */includes-api; do echo -I $i; done)"
                        " */src/*.c main.c -o program"),
                  0)
            << compiler;
        EXPECT_EQ(shell(place + "ASAN_OPTIONS=detect_leaks=0 ./program"), 0) << compiler;
    }
}

const std::string kRunTest =
    "#include \"aot_test_case.h\"\n"
    "int main(void)\n{\n"
    "    int32_t status = aot_test_case_init();\n"
    "    return (int)(status != 0 ? status : aot_test_case_run());\n}\n";

TEST(Module, ComputesWhatTheHostComputes) {
    SmallModule module(small_program());
    add_vectors(module, 3);
    const fs::path folder = work_folder();
    write(folder / "m", module::write(module.input));
    write(folder, {{"main.c", kRunTest}});
    build_and_run(folder);
}

TEST(Module, TheSelfTestFindsEveryWrongValue) {
    SmallModule module(small_program());
    add_vectors(module, 2);
    for (auto& invocation : module.input.test_vectors) invocation.outputs[0][1] ^= 1;
    const fs::path folder = work_folder();
    write(folder / "m", module::write(module.input));
    write(folder, {{"main.c",
                    "#include \"aot_test_case.h\"\n"
                    "int main(void)\n{\n"
                    "    if (aot_test_case_run() != aot_status_not_initialized) { return 1; }\n"
                    "    if (aot_test_case_init() != 0) { return 2; }\n"
                    "    return aot_test_case_run() == 2 ? 0 : 3;\n}\n"}});
    build_and_run(folder);
}

TEST(Module, TheSelfTestAllowsTheTolerance) {
    SmallModule module(small_program());
    add_vectors(module, 1);
    for (auto& byte : module.input.test_vectors[0].outputs[0])
        byte = static_cast<std::uint8_t>(byte + 2);
    module.config.test.tolerance = 2.0;
    const fs::path folder = work_folder();
    write(folder / "m", module::write(module.input));
    write(folder, {{"main.c", kRunTest}});
    build_and_run(folder);
}

TEST(Module, StaticScheduleAndStagingAndExternalArenasCompute) {
    config::Config config;
    config.module.schedule = config::Schedule::straight;
    config.memory.allocate_arenas = false;
    config.memory.auto_hydrate_constants = false;
    config.memory.tensors = {staging_rule()};
    SmallModule module(small_program(), config);
    add_vectors(module, 3);
    const support::FileSet files = module::write(module.input);
    ASSERT_EQ(files.count("aot_arena_const_dtcm__source.bin"), 1U);
    const fs::path folder = work_folder();
    write(folder / "m", files);
    write(folder,
          {{"main.c",
            "#include \"aot_test_case.h\"\n"
            "AOT_ALIGNED(16) static int8_t memory[aot_num_arena_buffers][256];\n"
            "int main(void)\n{\n"
            "    size_t i;\n"
            "    void *buffers[aot_num_arena_buffers];\n"
            "    size_t sizes[aot_num_arena_buffers];\n"
            "    if (aot_test_case_init() != aot_status_context_arena_unbound) { return 100; }\n"
            "    for (i = 0; i < (size_t)aot_num_arena_buffers; i++) {\n"
            "        buffers[i] = memory[i];\n        sizes[i] = sizeof(memory[i]);\n    }\n"
            "    if (aot_bind_arenas(buffers, sizes, i) != 0) { return 101; }\n"
            "    if (aot_test_case_init() != 0) { return 102; }\n"
            "    return (int)aot_test_case_run();\n}\n"}});
    build_and_run(folder);
}

TEST(Module, TwoModulesLinkInOneImage) {
    const fs::path folder = work_folder();
    for (const char* prefix : {"first", "Second"}) {
        config::Config config;
        config.module.prefix = prefix;
        config.memory.tensors = {staging_rule()};
        SmallModule module(small_program(), config);
        add_vectors(module, 2);
        write(folder / prefix, module::write(module.input));
    }
    write(folder,
          {{"main.c",
            "#include \"first_test_case.h\"\n#include \"Second_test_case.h\"\n"
            "int main(void)\n{\n"
            "    if (first_test_case_init() != 0 || Second_test_case_init() != 0) { return 100; }\n"
            "    return (int)(first_test_case_run() + Second_test_case_run());\n}\n"}});
    build_and_run(folder);
}

/// A program with tensors but no step, in which what goes in comes out.
program::Program without_steps(bool inputs, bool outputs) {
    program::Program program;
    program::Tensor tensor;
    tensor.id = "0";
    tensor.model_index = 0;
    tensor.shape = {5};
    tensor.size = 5;
    program.tensors = {tensor};
    if (inputs) program.inputs = {0};
    if (outputs) program.outputs = {0};
    return program;
}

TEST(Module, ModelsWithoutInputsOutputsOrTensorsWork) {
    const fs::path folder = work_folder();
    std::string includes;
    std::string body;
    for (const int kind : {0, 1, 2, 3}) {
        program::Program program =
            kind == 0 ? program::Program() : without_steps(kind != 1, kind != 2);
        for (const bool allocated : {true, false}) {
            config::Config config;
            config.module.prefix = "k" + std::to_string(kind) + (allocated ? "a" : "x");
            config.memory.allocate_arenas = allocated;
            SmallModule module(program, config);
            add_vectors(module, 1);
            const std::string& p = config.module.prefix;
            write(folder / p, module::write(module.input));
            includes += "#include \"" + p + "_test_case.h\"\n";
            const bool unbound = !allocated && kind != 0;
            body += "    if (" + p + "_test_case_init() != " + p + "_status_" +
                    (unbound ? "context_arena_unbound" : "ok") + ") { return 1; }\n";
            body += "    if (" + p + "_test_case_run() != " + p + "_status_" +
                    (unbound ? "not_initialized" : "ok") + ") { return 2; }\n";
            body += "    if (" + p + "_num_inputs != " + std::to_string(program.inputs.size()) +
                    ") { return 3; }\n";
        }
    }
    write(folder, {{"main.c", includes + "int main(void)\n{\n" + body + "    return 0;\n}\n"}});
    build_and_run(folder);
}

TEST(Module, NamesOfTheModelCannotLeaveTheirComments) {
    SmallModule module(small_program());
    module.program.tensors[0].name = "*/ #error \\";
    const std::string layer = module::write(module.input).at("src/aot_svdf_1.c");
    EXPECT_NE(layer.find("layer * / of ? ?/ C _"), std::string::npos);
    EXPECT_EQ(layer.find("\\"), std::string::npos);
}

TEST(Module, SidecarsAndTheirHashesAgree) {
    config::Config config;
    config.memory.allocate_arenas = false;
    const SmallModule module(small_program(), config);
    const support::FileSet files = module::write(module.input);
    const std::string& blob = files.at("aot_arena_const_dtcm__blob.bin");
    EXPECT_EQ(blob.size(), module.plan.regions.back().size);
    EXPECT_NE(files.at("includes-api/aot_tensors.h")
                  .find("#define aot_arena_const_dtcm__blob_sha256 \"" + support::sha256_hex(blob)),
              std::string::npos);
}

TEST(Module, InputsAreMarkedPreservedOnlyWhenNothingSharesTheirBytes) {
    SmallModule module(small_program());
    const auto macro = [&module] {
        const support::FileSet files = module::write(module.input);
        const std::string& header = files.at("includes-api/aot_tensors.h");
        const std::string name = "#define aot_input_0_preserved ";
        return header.at(header.find(name) + name.size());
    };
    const std::size_t input = module.program.inputs[0];
    const std::size_t hidden = 5;
    module.plan.placements[hidden]->offset = module.plan.placements[input]->offset + 16;
    module.plan.placements[6]->offset = module.plan.placements[input]->offset + 32;
    EXPECT_EQ(macro(), '1');
    module.plan.placements[hidden]->offset = module.plan.placements[input]->offset + 3;
    EXPECT_EQ(macro(), '0');
}

TEST(Module, ConstantsInSeveralMemoriesHaveAFileEach) {
    config::Config config;
    config::Rule rule;
    rule.ids = {"2"};
    rule.memory = {"mram"};
    config.memory.tensors = {rule};
    const SmallModule module(small_program(), config);
    const support::FileSet files = module::write(module.input);
    EXPECT_EQ(files.count("src/aot_constants.c"), 0U);
    const std::string& mram = files.at("src/aot_constants_mram.c");
    EXPECT_NE(mram.find("AOT_PUT_IN_MRAM AOT_ALIGNED("), std::string::npos);
    EXPECT_NE(mram.find("aot_const_byte_t aot_arena_const_mram__blob["), std::string::npos);
    const std::string& dtcm = files.at("src/aot_constants_dtcm.c");
    EXPECT_NE(dtcm.find("AOT_PUT_IN_DTCM_INIT AOT_ALIGNED("), std::string::npos);
    EXPECT_NE(files.at("CMakeLists.txt").find("/src/aot_constants_mram.c\n"), std::string::npos);
}

TEST(Module, OtherMemoriesOfThePlatformHaveMacros) {
    config::Config config;
    config.platform.name = "nrf52840dk";
    const SmallModule module(small_program(), config);
    const std::string header = module::write(module.input).at("includes-api/aot_platform.h");
    EXPECT_NE(header.find("#define AOT_PUT_IN_FLASH\n"), std::string::npos);
    EXPECT_NE(header.find("#define AOT_PUT_IN_FLASH_INIT\n"), std::string::npos);
}

}  // namespace
}  // namespace ingot::test
