#!/usr/bin/env python3
"""NSX modules: nsx-module.yaml to its table and by the nsx tool, and the CMake file as an application uses it."""

import sys
from pathlib import Path

import jsonschema
import yaml
from neuralspotx.metadata import is_compatible, validate_nsx_module_metadata

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS, golden_case  # noqa: E402
from cmake_project import build_all, compile_commands, configure  # noqa: E402
from modules import DRIVER, Module, convert, glue_source, run_program, table_source  # noqa: E402
from project import TestFailure, finish, run, work_folder  # noqa: E402

TEXT = {"type": "string", "minLength": 1}
TEXTS = {"type": "array", "items": TEXT}
SOME_TEXTS = {**TEXTS, "minItems": 1}
M55_SOCS = {"apollo5b", "apollo510", "apollo510b", "apollo510l", "apollo510L", "apollo330P", "atomiq110"}
SOCS = M55_SOCS | {"apollo3", "apollo3p", "apollo4l", "apollo4p"}


def table(properties: dict, optional: dict | None = None) -> dict:
    return {"type": "object", "additionalProperties": False, "required": sorted(properties),
            "properties": {**properties, **(optional or {})}}


MANIFEST = table({
    "schema_version": {"type": "integer", "const": 1},
    "module": table({"name": TEXT, "type": {"const": "algorithm"},
                     "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"}}),
    "support": table({"ambiqsuite": {"const": True}, "zephyr": {"const": False}}),
    "build": table({"cmake": table({"package": TEXT, "targets": SOME_TEXTS})}),
    "depends": table({"required": TEXTS, "optional": TEXTS}),
    "compatibility": table({"boards": SOME_TEXTS,
                            "socs": {"type": "array", "minItems": 1, "items": {"enum": sorted(SOCS)}},
                            "toolchains": {"type": "array", "minItems": 1, "items": {
                                "enum": ["*", "arm-none-eabi-gcc", "armclang", "atfe"]}}})},
    {"summary": {"type": "string", "pattern": r"^[^\n]+$"}, "capabilities": TEXTS, "use_cases": TEXTS,
     "anti_use_cases": TEXTS, "agent_keywords": TEXTS, "example_refs": TEXTS,
     "composition_hints": TEXTS})

# As the nsx tool builds an application: modules in modules/<name>, built in _nsx/<id>.
APPLICATION = """\
cmake_minimum_required(VERSION 3.24)
project(application VERSION 1.0 LANGUAGES C)
include(GNUInstallDirs)
add_library(board_flags INTERFACE)
target_compile_options(board_flags INTERFACE -DFROM_THE_BOARD=1)
{flags}
{modules}
add_executable(program {driver}/driver.c table.c {glue})
target_include_directories(program PRIVATE {driver})
target_link_libraries(program PRIVATE {libraries})
install(TARGETS board_flags EXPORT nsxTargets)
install(EXPORT nsxTargets NAMESPACE nsx:: DESTINATION ${{CMAKE_INSTALL_LIBDIR}}/cmake/nsx)
"""


def require(condition: bool, what: str) -> None:
    if not condition:
        raise TestFailure(what)


def manifest(module: Module, name: str, identifier: str, socs: set[str], version: str) -> None:
    content = yaml.safe_load((module.folder / "nsx-module.yaml").read_text())
    jsonschema.validate(content, MANIFEST)
    validate_nsx_module_metadata(content, str(module.folder))  # as the tool does
    for soc in SOCS:
        fits = is_compatible(content, board="any", soc=soc, toolchain="arm-none-eabi-gcc")
        require(fits == (soc in socs), f"nsx takes it for {soc}: {fits}")
    require(content["module"]["name"] == name, f"name {content['module']['name']}")
    require(content["module"]["version"] == version, f"version {content['module']['version']}")
    require(content["build"]["cmake"] == {"package": identifier, "targets": [f"nsx::{identifier}"]},
            f"build {content['build']}")
    require(set(content["compatibility"]["socs"]) == socs, f"SoCs {content['compatibility']['socs']}")


def application(folder: Path, modules: dict[str, Module], flags: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table.c").write_text(table_source(list(modules.values())))
    for module in modules.values():
        (folder / f"{module.prefix}_glue.c").write_text(glue_source(module))
    (folder / "CMakeLists.txt").write_text(APPLICATION.format(
        flags=flags, driver=DRIVER, glue=" ".join(f"{m.prefix}_glue.c" for m in modules.values()),
        modules="\n".join(f"add_subdirectory({m.folder} _nsx/{i})" for i, m in modules.items()),
        libraries=" ".join(f"nsx::{i}" for i in modules)))
    return folder


def in_application(folder: Path, modules: dict[str, Module]) -> None:
    """Two modules in an application: built under the board's flags, run, installed."""
    project = application(folder, modules, "set(NSX_BOARD_FLAGS_TARGET board_flags)")
    build = folder / "build"
    header = folder / "attributes.h"
    header.write_text("#define BEFORE_ALL 1\n")
    first = next(iter(modules))
    configure(project, build, f"-D{first.upper()}_ATTRIBUTES_HEADER={header}",
              f"-DCMAKE_INSTALL_PREFIX={folder / 'installed'}")
    build_all(build)
    require(not run_program(build / "program", list(modules.values()))[0], "wrong results")
    for identifier, module in modules.items():
        rows = [command for file, command in compile_commands(build).items()
                if file.startswith(str(module.folder))]
        require(len(rows) == len(list((module.folder / "src").glob("*.c"))), f"{identifier}: sources")
        require(all("-DFROM_THE_BOARD=1" in row for row in rows), f"{identifier}: not the board's flags")
        require(all((str(header) in row) == (identifier == first) for row in rows),
                f"{identifier}: attributes header")
        require((build / "_nsx" / identifier).is_dir(), f"{identifier}: build folder")
    run(["cmake", "--install", build])
    for module in modules.values():
        place = folder / "installed" / "include" / "nsx" / "modules" / module.folder.name / "includes-api"
        require((place / f"{module.prefix}_model.h").is_file(), f"no installed header in {place}")


def elsewhere(folder: Path, modules: dict[str, Module]) -> None:
    """Without nsx the module says what it needs and what to use instead."""
    said = configure(application(folder, modules, ""), folder / "build", expect=1)
    for word in ("NSX_BOARD_FLAGS_TARGET", "module.type: cmake"):
        require(word in " ".join(said.split()), f"not told of {word}: {said}")


def missing_header(folder: Path, modules: dict[str, Module]) -> None:
    project = application(folder, modules, "set(NSX_BOARD_FLAGS_TARGET board_flags)")
    done = run(["cmake", "-S", project, "-B", folder / "build", "-G", "Ninja",
                f"-D{next(iter(modules)).upper()}_ATTRIBUTES_HEADER={folder / 'no-header.h'}"])
    require("CMake Warning" in done.stderr and "no-header.h" in done.stderr, f"no warning: {done.stderr}")


def main():
    folder = work_folder("nsx_module")
    demo, ds_cnn = (golden_case(OWN_MODELS / f"{name}.tflite", OWN_MODELS / "golden" / name)
                    for name in ("demo", "ds_cnn_int8"))
    first = convert(demo, "first", folder / "modules", {"module.type": "nsx", "module.name": "first-net",
                                                        "model.version": "v1.2", "test.enabled": True})
    second = convert(ds_cnn, "second", folder / "modules",
                     {"module.type": "nsx", "module.name": "2nd", "platform.name": "apollo4p_evb"})
    portable = convert(demo, "portable", folder / "modules",
                       {"module.type": "nsx", "module.name": "portable", "kernels.optimize": "portable"})
    modules = {"first_net": first, "_2nd": second}
    failures, attempts = [], {
        "manifest for an M55": lambda: manifest(first, "first-net", "first_net", M55_SOCS, "1.2.0"),
        "manifest for an M4": lambda: manifest(second, "2nd", "_2nd", SOCS, "1.0.0"),
        "manifest for any core": lambda: manifest(portable, "portable", "portable", SOCS, "1.0.0"),
        "application": lambda: in_application(folder / "application", modules),
        "without nsx": lambda: elsewhere(folder / "elsewhere", modules),
        "missing header": lambda: missing_header(folder / "header", modules)}
    for what, action in attempts.items():
        try:
            action()
        except (TestFailure, ValueError, jsonschema.ValidationError) as failure:
            failures.append(f"{what}: {failure}")
    finish("nsx module", failures, len(attempts))


if __name__ == "__main__":
    main()
