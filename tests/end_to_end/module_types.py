#!/usr/bin/env python3
"""All module types in one image, two Zephyr modules too: every file set compiles cleanly, as C and C++, and computes."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS, golden_case  # noqa: E402
from modules import Module, Toolchain, build, convert, run_program  # noqa: E402
from project import TestFailure, finish, work_folder  # noqa: E402
from zephyr_stand_in import STAND_IN  # noqa: E402

TYPES = ["cmake", "zephyr", "nsx", "cmsis_pack"]
# Constants and arenas in several memories, so that every kind of file and macro is there.
SEVERAL_MEMORIES = {
    "memory.tensors": "[{type: scratch, attributes: {memory: dtcm}}, {type: persistent, attributes: {memory: sram}},"
                      " {type: constant, attributes: {memory: mram}},"
                      " {type: constant, id: '*_packed', attributes: {memory: dtcm}}]",
    "operators": "[{type: CONV_2D, attributes: {code_placement: itcm}}]"}
TOOLCHAINS = {"gcc-c99": ("gcc", "c99"), "clang-c11": ("clang", "c11"), "gcc-c++17": ("gcc", "c++17"),
              "clang-c++17": ("clang", "c++17")}
ZEPHYR_FLAGS = ["-I", str(STAND_IN / "include")]
# As on a host, where Zephyr has no such sections, and as on Arm, where its macros name sections.
FLAGS = {"gcc-c99": ["-DCONFIG_ARM=1", "-DSTAND_IN_DTCM", "-DSTAND_IN_ITCM"],
         "clang-c++17": ["-DCONFIG_ARM=1", "-DSTAND_IN_DTCM", "-DSTAND_IN_ITCM"]}


def modules_of(folder: Path) -> list[Module]:
    case = golden_case(OWN_MODELS / "demo.tflite", OWN_MODELS / "golden" / "demo")
    keys = {"test.enabled": True, **SEVERAL_MEMORIES}
    modules = [convert(case, f"{module_type}_net", folder, {"module.type": module_type, **keys})
               for module_type in TYPES]
    external = {"module.type": "zephyr", "memory.allocate_arenas": False}
    return [*modules, convert(case, "zephyr_external", folder, external)]


def main():
    folder = work_folder("module_types")
    modules = modules_of(folder / "modules")
    failures = []

    def attempt(name: str) -> list[str]:
        compiler, standard = TOOLCHAINS[name]
        toolchain = Toolchain(compiler, standard, ["-O0", *ZEPHYR_FLAGS, *FLAGS.get(name, [])])
        try:
            return run_program(build(modules, toolchain, folder / name), modules)[0]
        except TestFailure as failure:
            return [f"{name}: {failure}"]

    with ThreadPoolExecutor(2) as pool:
        for result in pool.map(attempt, TOOLCHAINS):
            failures += result
    finish("module types", failures, len(TOOLCHAINS))


if __name__ == "__main__":
    main()
