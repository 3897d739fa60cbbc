// Packaging of a small program: names that are derived or refused, and what a module that calls
// the mathematical library says to each build system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "module/build_files.h"
#include "module/render.h"
#include "module/variant.h"
#include "support/diagnostics.h"
#include "unit/module/small_program.h"

namespace ingot::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

support::FileSet module_of(config::ModuleType type, const std::string& name = "net") {
    config::Config config;
    config.module.type = type;
    config.module.name = name;
    return module::write(SmallModule(small_program(), config).input);
}

TEST(Packaging, DerivesIdentifiersFromTheName) {
    const auto zephyr = module_of(config::ModuleType::zephyr, "2nd.Net-x");
    EXPECT_THAT(zephyr.at("zephyr/Kconfig"), HasSubstr("config INGOT__2ND_NET_X\n"));
    EXPECT_THAT(zephyr.at("zephyr/CMakeLists.txt"), HasSubstr("zephyr_library_named(_2nd_Net_x)"));
    EXPECT_THAT(zephyr.at("zephyr/module.yml"), HasSubstr("name: \"2nd.Net-x\"\n"));
    const auto nsx = module_of(config::ModuleType::nsx, "2nd.Net-x");
    EXPECT_THAT(nsx.at("nsx-module.yaml"), HasSubstr("package: \"_2nd_Net_x\"\n"));
    const auto cmake = module_of(config::ModuleType::cmake, "2nd.Net-x");
    EXPECT_THAT(cmake.at("CMakeLists.txt"), HasSubstr("add_library(_2nd_Net_x::_2nd_Net_x ALIAS"));
    config::Config config;
    config.module.type = config::ModuleType::cmsis_pack;
    config.module.name = "2nd.Net-x";
    config.module.vendor = "A. Maker";
    const auto pack = module::write(SmallModule(small_program(), config).input);
    ASSERT_EQ(pack.count("A__Maker.2nd_Net-x.pdsc"), 1U);
    EXPECT_THAT(pack.at("A__Maker.2nd_Net-x.pdsc"), HasSubstr("Csub=\"2nd_Net_x\""));
}

TEST(Packaging, RefusesNamesThatTheTypeHasNoPlaceFor) {
    const auto status = [](config::ModuleType type, const std::string& name) {
        try {
            module_of(type, name);
            return support::ExitStatus::ok;
        } catch (const support::Failure& failure) {
            return failure.status();
        }
    };
    using config::ModuleType;
    const std::string long_name(33, 'n');
    EXPECT_EQ(status(ModuleType::cmsis_pack, long_name), support::ExitStatus::usage);
    EXPECT_EQ(status(ModuleType::cmsis_pack, "__"), support::ExitStatus::usage);
    for (const char* name : {"kernel", "menuconfig", "isr_tables", "run", "version_h",
                             "zephyr_pre0", "ram-report", "lib__posix", "all", "m"}) {
        EXPECT_EQ(status(ModuleType::zephyr, name), support::ExitStatus::usage) << name;
    }
    for (const char* name : {"runner", "zephyr_net", "kernels", "All", "lib_posix", "ram"}) {
        EXPECT_EQ(status(ModuleType::zephyr, name), support::ExitStatus::ok) << name;
    }
    for (const ModuleType type : {ModuleType::cmake, ModuleType::nsx}) {
        EXPECT_EQ(status(type, "clean"), support::ExitStatus::usage);
        EXPECT_EQ(status(type, "menuconfig"), support::ExitStatus::ok);
    }
    for (const ModuleType type : {ModuleType::zephyr, ModuleType::nsx, ModuleType::cmake}) {
        EXPECT_EQ(status(type, long_name), support::ExitStatus::ok);
    }
    EXPECT_EQ(status(ModuleType::cmake, "kernel"), support::ExitStatus::ok);
}

TEST(Packaging, ANoteNamesSectionMacrosThatTheTypeDefinesItself) {
    const auto notes = [](config::ModuleType type) {
        config::Config config;
        config.module.type = type;
        SmallModule small(small_program(), config);
        for (const char* macro :
             {"PUT_IN_DTCM", "PUT_IN_MRAM", "PUT_CODE_IN_ITCM", "PUT_IN_SRAM"}) {
            small.platform.section_macros[macro] = "MINE";
        }
        support::Diagnostics diagnostics;
        small.input.diagnostics = &diagnostics;
        module::write(small.input);
        std::vector<std::string> macros;
        for (const support::Diagnostic& note : diagnostics.list()) {
            EXPECT_EQ(note.severity, support::Severity::note);
            EXPECT_EQ(note.where, "platform.section_macros");
            macros.push_back(note.message.substr(0, note.message.find(' ')));
        }
        return macros;
    };
    using testing::ElementsAre;
    using testing::IsEmpty;
    EXPECT_THAT(notes(config::ModuleType::zephyr),
                ElementsAre("PUT_IN_DTCM", "PUT_IN_MRAM", "PUT_CODE_IN_ITCM"));
    EXPECT_THAT(notes(config::ModuleType::nsx), ElementsAre("PUT_CODE_IN_ITCM"));
    EXPECT_THAT(notes(config::ModuleType::cmake), IsEmpty());
    EXPECT_THAT(notes(config::ModuleType::cmsis_pack), IsEmpty());
}

/// The values of a build file's template, with a model that calls <math.h>.
json floating(bool math) {
    return {{"id", "net"},
            {"ID", "NET"},
            {"name", "net"},
            {"model", "net"},
            {"module", "net"},
            {"prefix", "aot"},
            {"PREFIX", "AOT"},
            {"arm", true},
            {"uses_math", math},
            {"use_fpu", math},
            {"vectors", false},
            {"relocates", false},
            {"version", "1.0.0"},
            {"test", false},
            {"sources", json::array({{{"file", "src/aot_model.c"}}})}};
}

TEST(Packaging, FloatModelsAskForTheMathematicalLibrary) {
    const auto text = [](const char* path, bool math) {
        return module::render(std::string("templates/") + path, floating(math));
    };
    const char* kconfig = "zephyr/Kconfig.mustache";
    EXPECT_THAT(text(kconfig, true), HasSubstr("\tselect REQUIRES_FULL_LIBC\n\timply FPU\n"));
    EXPECT_THAT(text(kconfig, false), Not(HasSubstr("select")));
    EXPECT_THAT(text("cmake/CMakeLists.txt.mustache", true),
                HasSubstr("if(UNIX)\n  target_link_libraries(net PRIVATE m)\n"));
    EXPECT_THAT(text("nsx/CMakeLists.txt.mustache", true), HasSubstr("C_COMPILER_ID:GNU>:m>"));
    EXPECT_THAT(text("nsx/CMakeLists.txt.mustache", false), Not(HasSubstr(":m>")));
}

TEST(Packaging, PlansForTheBestInstructionsOfTheCore) {
    using module::Variant;
    config::Config config;
    const auto of = [&config](const char* cpu, std::vector<std::string> features) {
        platforms::Platform platform;
        platform.cpu = cpu;
        platform.features = std::move(features);
        return module::planned_variant(config, platform);
    };
    EXPECT_EQ(of("cortex-m55", {"dsp", "mve"}), Variant::mve);
    EXPECT_EQ(of("cortex-m55", {"dsp"}), Variant::dsp);
    EXPECT_EQ(of("cortex-m33", {"dsp"}), Variant::dsp);
    EXPECT_EQ(of("cortex-m33", {}), Variant::portable);
    EXPECT_EQ(of("cortex-m4", {"dsp", "mve"}), Variant::dsp);
    EXPECT_EQ(of("cortex-m0", {"dsp"}), Variant::portable);
    EXPECT_EQ(of("generic", {"mve"}), Variant::portable);
    config.optimize = config::Optimize::portable;
    EXPECT_EQ(of("cortex-m55", {"dsp", "mve"}), Variant::portable);
    EXPECT_EQ(of("cortex-m4", {"dsp"}), Variant::portable);
    config.optimize = config::Optimize::size;
    EXPECT_EQ(of("cortex-m85", {"dsp", "mve"}), Variant::mve);
}

TEST(Packaging, APlanForMveImpliesTheRegistersAndAPortableOneNone) {
    const auto kconfig = [](config::Optimize optimize) {
        config::Config config;
        config.module.type = config::ModuleType::zephyr;
        config.optimize = optimize;
        SmallModule small(small_program(), config);
        small.platform.cpu = "cortex-m55";
        small.platform.features = {"dsp", "fpu", "mve"};
        const support::FileSet files = module::write(small.input);
        EXPECT_EQ(files.at("README.md").find("CONFIG_FPU") != std::string::npos,
                  optimize != config::Optimize::portable);
        return files.at("zephyr/Kconfig");
    };
    EXPECT_THAT(kconfig(config::Optimize::balanced), HasSubstr("\timply FPU\n"));
    EXPECT_THAT(kconfig(config::Optimize::balanced), HasSubstr("vector registers"));
    EXPECT_THAT(kconfig(config::Optimize::portable), Not(HasSubstr("FPU")));
}

TEST(Packaging, AKernelWithOneBodyIsPortableWhateverThePlan) {
    using module::Variant;
    for (const Variant planned : {Variant::portable, Variant::dsp, Variant::mve}) {
        EXPECT_EQ(module::kernel_variant("copy_rows", planned), Variant::portable);
    }
    EXPECT_THROW(module::kernel_variant("no_such", Variant::mve), std::logic_error);
}

}  // namespace
}  // namespace ingot::test
