#include "module/cmake_type.h"

#include "module/c_files.h"
#include "module/render.h"
#include "module/text.h"

namespace ingot::module {
namespace {

using nlohmann::json;

json build_data(const Emission& emission) {
    json data = emission.base();
    data["id"] = emission.id();
    data["ID"] = upper(emission.id());
    data["folder"] = emission.config().module.name;
    data["version"] = numeric_version(emission.config().model.version);
    data["test"] = emission.config().test.enabled;
    data["uses_math"] = emission.kernels().uses_math;
    return data;
}

}  // namespace

support::FileSet write_cmake(const Emission& emission) {
    const PlatformSpelling spelling = {{}, empty_definition, printf_does_nothing(emission)};
    json data = build_data(emission);
    support::FileSet files =
        common_files(emission, spelling, render("templates/cmake/how_to_add.md.mustache", data));
    data["sources"] = json::array();
    for (const auto& [path, text] : files) {
        if (path.rfind("src/", 0) != 0 || path == emission.source_file("test_case")) continue;
        data["sources"].push_back({{"file", "${CMAKE_CURRENT_LIST_DIR}/" + path}});
    }
    files["CMakeLists.txt"] = render("templates/cmake/CMakeLists.txt.mustache", data);
    return files;
}

}  // namespace ingot::module
