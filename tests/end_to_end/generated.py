#!/usr/bin/env python3
"""Builds generated modules, many in one program, and runs every vector in it, byte for byte.

    generated.py models --toolchain gcc-asan     every model with default settings
    generated.py own --toolchain gcc-O3          our own models, which have the others' structure
    generated.py own --variant external          the same with other settings, sanitised
    generated.py suite --toolchain clang-asan    the one-operator models of tests/data/op-suite
    generated.py random                          some random one-operator models of each kind

The build itself is a test: the flags are those under which modules promise to be without warnings.
"""

import argparse
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "lib"),
                str(Path(__file__).resolve().parents[1] / "differential")]

from cases import Case, all_models, operator_suite, own_models  # noqa: E402
from modules import SANITIZERS, Toolchain, build, convert_all, run_program  # noqa: E402
from project import TestFailure, finish, work_folder  # noqa: E402

TOOLCHAINS = {
    "gcc-asan": Toolchain("gcc", "c99", ["-O1", *SANITIZERS]),
    # Clang's optimiser takes twice the time of GCC's on instrumented code, and finds nothing more.
    "clang-asan": Toolchain("clang", "c11", ["-O0", *SANITIZERS]),
    "gcc-O0": Toolchain("gcc", "c11", ["-O0"]),
    "gcc-Os": Toolchain("gcc", "c99", ["-Os"]),
    "gcc-O2": Toolchain("gcc", "c++17", ["-O2"]),
    "gcc-O3": Toolchain("gcc", "c11", ["-O3"]),
    "gcc-lto": Toolchain("gcc", "c99", ["-O2", "-flto"]),
    "clang-O0": Toolchain("clang", "c99", ["-O0"]),
    "clang-Os": Toolchain("clang", "c11", ["-Os"]),
    "clang-O2": Toolchain("clang", "c++17", ["-O2"]),
    "clang-O3": Toolchain("clang", "c99", ["-O3"]),
    "clang-lto": Toolchain("clang", "c11", ["-O2", "-flto"]),
}

STAGED = ("[{type: constant, attributes: {memory: MRAM, constant_destination_memory: DTCM}}, "
          "{type: persistent, attributes: {memory: SRAM}}]")
NO_TRANSFORMS = '[{name: "*", enabled: false}]'

VARIANTS = {
    "default": {},
    "plain": {"transforms": NO_TRANSFORMS, "memory.planner": "greedy", "kernels.optimize": "portable"},
    "static": {"module.schedule": "static"},
    "inputs-kept": {"model.inputs_overwritable": False},
    "external": {"memory.allocate_arenas": False},
    "staged": {"memory.tensors": STAGED},
    "staged-by-hand": {"memory.tensors": STAGED, "memory.auto_hydrate_constants": False},
    "external-staged": {"memory.tensors": STAGED, "memory.allocate_arenas": False},
    "external-staged-by-hand": {"memory.tensors": STAGED, "memory.allocate_arenas": False,
                                "memory.auto_hydrate_constants": False, "module.schedule": "static"},
    "host": {"platform.name": "host"},
}


def random_cases(folder: Path, each: int) -> list[Case]:
    """The first random models of each operator, with the reference's outputs."""
    import differential
    import draw
    return [differential.case_of(draw.make(name, number), folder)
            for name in draw.OPERATORS for number in range(each)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("set", choices=["models", "own", "suite", "random"])
    parser.add_argument("--toolchain", choices=TOOLCHAINS, default="gcc-asan")
    parser.add_argument("--variant", choices=VARIANTS, default="default")
    parser.add_argument("--each", type=int, default=5, help="random models of each operator")
    parser.add_argument("--step", type=int, default=1, help="of the cases, every N-th")
    parser.add_argument("--only", help="cases whose name contains this")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()

    name = f"generated/{arguments.set}-{arguments.toolchain}-{arguments.variant}"
    folder = work_folder(name)
    if arguments.set == "models":
        cases = all_models()
    elif arguments.set == "own":
        cases = own_models()
    elif arguments.set == "suite":
        cases = operator_suite()
    else:
        cases = random_cases(folder, arguments.each)
    if arguments.only:
        cases = [case for case in cases if arguments.only in case.name]
    cases = cases[::arguments.step]

    keys = {"test.enabled": arguments.set in ("models", "own"), **VARIANTS[arguments.variant]}
    modules, failures = convert_all(cases, folder / "modules", keys)
    vectors = 0
    if modules:
        try:
            program = build(modules, TOOLCHAINS[arguments.toolchain], folder / "program", arguments.jobs)
            wrong, vectors = run_program(program, modules)
            failures += wrong
        except TestFailure as failure:
            failures.append(str(failure))
    finish(name, failures, vectors)


if __name__ == "__main__":
    main()
