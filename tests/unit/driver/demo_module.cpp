#include "unit/driver/demo_module.h"

#include <filesystem>
#include <map>
#include <utility>

#include "config/config.h"
#include "driver/driver.h"

namespace ingot::test {
namespace {

const std::filesystem::path kTests = std::filesystem::path(INGOT_PROJECT_DIR) / "tests";

support::FileSet converted(const std::string& type, bool allocate_arenas) {
    std::vector<config::FlagValue> flags = {{"module.name", "demo"},
                                            {"module.type", type},
                                            {"test.enabled", "true"},
                                            {"memory.dump_residency_json", "true"}};
    if (!allocate_arenas) flags.push_back({"memory.allocate_arenas", "false"});
    support::Diagnostics diagnostics;
    return driver::convert(config::load("", "", flags),
                           support::read_file(kTests / "models" / "demo.tflite"), "demo.tflite", {},
                           {}, diagnostics)
        .files;
}

}  // namespace

const nlohmann::json& reference() {
    static const nlohmann::json data = [] {
        const auto bytes = support::read_file(kTests / "data" / "generated-module.json");
        return nlohmann::json::parse(bytes.begin(), bytes.end());
    }();
    return data;
}

const support::FileSet& demo_module(const std::string& type, bool allocate_arenas) {
    static std::map<std::pair<std::string, bool>, support::FileSet> made;
    const auto key = std::make_pair(type, allocate_arenas);
    if (made.count(key) == 0) made[key] = converted(type, allocate_arenas);
    return made.at(key);
}

}  // namespace ingot::test
