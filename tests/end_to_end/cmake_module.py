#!/usr/bin/env python3
"""Generated modules in CMake projects: subfolders, FetchContent, packages, twice, bare metal."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS, golden_case  # noqa: E402
from cmake_project import build_all, compile_commands, configure, toolchain_file  # noqa: E402
from modules import DRIVER, Module, convert, glue_source, run_program, table_source  # noqa: E402
from project import TestFailure, finish, run, work_folder  # noqa: E402

PROJECT = """\
cmake_minimum_required(VERSION {minimum})
project(consumer LANGUAGES C)
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wcast-qual -Werror
                    -Wstrict-prototypes -Wmissing-prototypes)
set(BUILD_SHARED_LIBS ON)
set(before "${{CMAKE_C_FLAGS}};${{CMAKE_C_STANDARD}};${{BUILD_SHARED_LIBS}}")
{modules}
if(NOT before STREQUAL "${{CMAKE_C_FLAGS}};${{CMAKE_C_STANDARD}};${{BUILD_SHARED_LIBS}}")
  message(FATAL_ERROR "a module changed its caller's settings")
endif()
add_executable(program {driver}/driver.c table.c {glue})
target_include_directories(program PRIVATE {driver})
target_link_libraries(program PRIVATE {libraries})
"""

FETCH = """\
include(FetchContent)
FetchContent_Declare({module.prefix} SOURCE_DIR {module.folder})
FetchContent_MakeAvailable({module.prefix})"""

BARE_METAL = """\
cmake_minimum_required(VERSION 3.16)
project(firmware LANGUAGES C)
{modules}
add_executable(firmware main.c)
target_link_libraries(firmware PRIVATE {libraries})
target_link_options(firmware PRIVATE --specs=nosys.specs)
"""


def require(condition: bool, what: str) -> None:
    if not condition:
        raise TestFailure(what)


def libraries(modules: list[Module]) -> str:
    return " ".join(f"{module.prefix}::{module.prefix}" for module in modules)


def consume(folder: Path, modules: list[Module], commands: list[str], *arguments, minimum="3.16") -> None:
    """Builds a project around the modules and runs their vectors in it."""
    folder.mkdir(parents=True)
    (folder / "table.c").write_text(table_source(modules))
    for module in modules:
        (folder / f"{module.prefix}_glue.c").write_text(glue_source(module))
    (folder / "CMakeLists.txt").write_text(PROJECT.format(
        minimum=minimum, modules="\n".join(commands), driver=DRIVER, libraries=libraries(modules),
        glue=" ".join(f"{m.prefix}_glue.c" for m in modules)))
    configure(folder, folder / "build", *arguments)
    build_all(folder / "build")
    failures = run_program(folder / "build" / "program", modules)[0]
    require(not failures, "\n".join(failures))


def subfolders(folder: Path, modules: list[Module]) -> None:
    """Two modules, one of them added twice, as when two parts of a project bring it."""
    commands = [f"add_subdirectory({m.folder} {m.prefix})" for m in modules]
    consume(folder, modules, [*commands, f"add_subdirectory({modules[0].folder} again)"])
    for module in modules:
        sources = {str(path) for path in (module.folder / "src").glob("*.c")}
        require(sources <= set(compile_commands(folder / "build")), f"{module.prefix}: sources are missing")


def fetched(folder: Path, modules: list[Module]) -> None:
    consume(folder, modules, [FETCH.format(module=module) for module in modules])


def installed(folder: Path, modules: list[Module]) -> None:
    """Installed by themselves, moved elsewhere, found as packages."""
    staged = folder / "staged"
    for module in modules:
        build = folder / f"build-{module.prefix}"
        configure(module.folder, build, f"-DCMAKE_INSTALL_PREFIX={staged}")
        build_all(build)
        run(["cmake", "--install", build])
    staged.rename(folder / "moved")
    for path in (folder / "moved").rglob("*.cmake"):
        require(str(folder) not in path.read_text(), f"{path.name} holds a path of the build")
    consume(folder / "consumer", modules,
            [f"find_package({m.prefix} 1.2 CONFIG REQUIRED)" for m in modules],
            f"-DCMAKE_PREFIX_PATH={folder / 'moved'}")


def options(folder: Path, module: Module) -> None:
    """The attributes header is read by the module's own files only; the self-test can be left out;
    a part of a project installs nothing unless asked."""
    header = folder / "with space" / "attributes.h"
    header.parent.mkdir(parents=True)
    header.write_text("#define FROM_THE_HEADER 1\n")
    name = module.prefix.upper()
    configure(module.folder, folder / "build", f"-D{name}_ATTRIBUTES_HEADER={header}", f"-D{name}_TEST=OFF")
    build_all(folder / "build")
    rows = compile_commands(folder / "build")
    require(all("attributes.h" in command for command in rows.values()), "the header is not included")
    require(not any("test_case" in file for file in rows), "the self-test is compiled")
    configure(module.folder, folder / "wrong", f"-D{name}_ATTRIBUTES_HEADER={folder}/none.h", expect=1)
    (folder / "part").mkdir()
    (folder / "part" / "CMakeLists.txt").write_text(PROJECT.split("add_executable")[0].format(
        minimum="3.16", modules=f"add_subdirectory({module.folder} part)"))
    configure(folder / "part", folder / "part" / "build", f"-DCMAKE_INSTALL_PREFIX={folder / 'prefix'}")
    build_all(folder / "part" / "build")
    run(["cmake", "--install", folder / "part" / "build"])
    require(not (folder / "prefix").exists(), "a part of a project was installed")


def bare_metal(folder: Path, modules: list[Module]) -> None:
    """With a toolchain file of the system Generic, where shared libraries don't exist."""
    folder.mkdir()
    main = [f'#include "{module.prefix}_model.h"' for module in modules]
    main += [f"static {module.prefix}_model_context_t {module.prefix};" for module in modules]
    calls = " | ".join(f"{m.prefix}_model_init(&{m.prefix}) | {m.prefix}_model_run(&{m.prefix})" for m in modules)
    (folder / "main.c").write_text("\n".join([*main, f"int main(void) {{ return (int)({calls}); }}", ""]))
    (folder / "CMakeLists.txt").write_text(BARE_METAL.format(
        modules="\n".join(f"add_subdirectory({m.folder} {m.prefix})" for m in modules),
        libraries=libraries(modules)))
    configure(folder, folder / "build", f"-DCMAKE_TOOLCHAIN_FILE={toolchain_file(folder, 'cortex-m4')}")
    build_all(folder / "build")
    size = run(["arm-none-eabi-size", folder / "build" / "firmware"]).stdout.split("\n")[1].split()
    require(int(size[0]) > 10000, f"the modules are not in the image: {size}")


def main():
    folder = work_folder("cmake_module")
    cases = [golden_case(OWN_MODELS / f"{name}.tflite", OWN_MODELS / "golden" / name)
             for name in ("demo", "ds_cnn_int8")]
    modules = [convert(case, prefix, folder / "modules", {"test.enabled": True, "model.version": "v1.2.3"})
               for case, prefix in zip(cases, ("first_net", "second_net"), strict=True)]
    attempts = {
        "subfolders": lambda: subfolders(folder / "subfolders", modules),
        "FetchContent": lambda: fetched(folder / "fetched", modules),
        "packages": lambda: installed(folder / "packages", modules),
        "options": lambda: options(folder / "options", modules[0]),
        "bare metal": lambda: bare_metal(folder / "bare_metal", modules)}
    failures = []
    for what, action in attempts.items():
        try:
            action()
        except TestFailure as failure:
            failures.append(f"{what}: {failure}")
    finish("cmake module", failures, len(attempts))


if __name__ == "__main__":
    main()
