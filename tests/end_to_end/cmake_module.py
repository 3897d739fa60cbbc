#!/usr/bin/env python3
"""Generated modules in a CMake project: as subfolders, two at once, and installed, found as packages."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS, golden_case  # noqa: E402
from modules import DRIVER, Module, convert, glue_source, run_program, table_source  # noqa: E402
from project import TestFailure, finish, run, work_folder  # noqa: E402

PROJECT = """\
cmake_minimum_required(VERSION 3.16)
project(consumer LANGUAGES C)
set(before "${{CMAKE_C_FLAGS}};${{CMAKE_C_STANDARD}};${{BUILD_SHARED_LIBS}}")
{modules}
if(NOT before STREQUAL "${{CMAKE_C_FLAGS}};${{CMAKE_C_STANDARD}};${{BUILD_SHARED_LIBS}}")
  message(FATAL_ERROR "a module changed its caller's settings")
endif()
add_executable(program {driver}/driver.c table.c {glue})
target_include_directories(program PRIVATE {driver})
target_link_libraries(program PRIVATE {libraries})
"""


def consume(folder: Path, modules: list[Module], commands: list[str], *arguments) -> list[str]:
    """Builds a project around the modules and runs their vectors in it."""
    folder.mkdir(parents=True)
    (folder / "table.c").write_text(table_source(modules))
    for module in modules:
        (folder / f"{module.prefix}_glue.c").write_text(glue_source(module))
    (folder / "CMakeLists.txt").write_text(PROJECT.format(
        modules="\n".join(commands), driver=DRIVER, glue=" ".join(f"{m.prefix}_glue.c" for m in modules),
        libraries=" ".join(f"{m.prefix}::{m.prefix}" for m in modules)))
    try:
        run(["cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", *arguments])
        run(["cmake", "--build", folder / "build"])
        return run_program(folder / "build" / "program", modules)[0]
    except TestFailure as failure:
        return [f"{folder.name}: {failure}"]


def install(module: Module, prefix: Path) -> list[str]:
    build = prefix.parent / f"build-{module.prefix}"
    try:
        run(["cmake", "-S", module.folder, "-B", build, "-G", "Ninja", f"-DCMAKE_INSTALL_PREFIX={prefix}"])
        run(["cmake", "--build", build])
        run(["cmake", "--install", build])
    except TestFailure as failure:
        return [f"install of {module.prefix}: {failure}"]
    return []


def main():
    folder = work_folder("cmake_module")
    cases = [golden_case(OWN_MODELS / f"{name}.tflite", OWN_MODELS / "golden" / name)
             for name in ("demo", "ds_cnn_int8")]
    modules = [convert(case, prefix, folder / "modules", {"test.enabled": True})
               for case, prefix in zip(cases, ("first_net", "second_net"))]
    failures = consume(folder / "subfolders", modules,
                       [f"add_subdirectory({m.folder} {m.prefix})" for m in modules])
    for module in modules:
        failures += install(module, folder / "prefix")
    failures += consume(folder / "packages", modules,
                        [f"find_package({m.prefix} CONFIG REQUIRED)" for m in modules],
                        f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}")
    finish("cmake module", failures, 2)


if __name__ == "__main__":
    main()
