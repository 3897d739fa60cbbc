// Module type `cmake`: a CMake project that is also a package.
#include "module/build_files.h"
#include "module/c_files.h"
#include "module/readme.h"
#include "module/render.h"
#include "module/writers.h"

namespace ingot::module {

support::FileSet write_cmake(const Emission& emission) {
    refuse_taken_name(emission, "CMake", "templates/cmake/taken_names.txt");
    const PlatformSpelling spelling = {{}, empty_definition, printf_does_nothing(emission)};
    nlohmann::json data = build_data(emission);
    support::FileSet files = common_files(emission, spelling);
    support::FileSet library = files;
    library.erase(emission.source_file("test_case"));  // compiled by an option of its own
    data["sources"] = file_list(library, "src/", ".c");
    files["README.md"] = readme(emission, render("templates/cmake/how_to_add.md.mustache", data));
    files["CMakeLists.txt"] = render("templates/cmake/CMakeLists.txt.mustache", data);
    return files;
}

}  // namespace ingot::module
