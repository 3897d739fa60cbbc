#!/usr/bin/env python3
"""Builds the comments of public headers with Doxygen: those of generated modules, and the library's.

Every declaration has a comment with its parameters and result; a warning is a failure. Of a module all headers are
read but <p>_kernels.h, whose comments are those of kernels/.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS  # noqa: E402
from project import ROOT, TestFailure, finish, ingot, run, settings, work_folder  # noqa: E402

CONFIGURATION = Path(__file__).with_name("Doxyfile").read_text()
CUSTOM = ROOT / "examples" / "custom-operator" / "moving_average.tflite"
STAGED = "[{type: constant, attributes: {memory: MRAM, constant_destination_memory: DTCM}}]"

# Between them, these have every declaration that a module can have.
VARIANTS = {
    "plain": {"test.enabled": True},
    "static": {"module.schedule": "static", "module.prefix": "net"},
    "external": {"memory.allocate_arenas": False, "test.enabled": True},
    "staged": {"memory.tensors": STAGED, "memory.allocate_arenas": False},
    "custom": {"model.path": CUSTOM, "custom_operators": "[{name: acme.MovingAverage}]"},
    "zephyr": {"module.type": "zephyr"},
    "nsx": {"module.type": "nsx"},
    "cmsis_pack": {"module.type": "cmsis_pack"},
    "staged-by-hand": {"memory.tensors": STAGED, "memory.auto_hydrate_constants": False},
}


def doxygen(inputs: list[Path], out: Path, more: str = "") -> None:
    """Raises TestFailure with the warnings."""
    out.mkdir(parents=True)
    configuration = out / "Doxyfile"
    names = " ".join(f'"{path}"' for path in inputs)
    configuration.write_text(f'{CONFIGURATION}OUTPUT_DIRECTORY = "{out}"\nINPUT = {names}\n{more}')
    run(["doxygen", configuration])


def check_variant(name: str, folder: Path) -> None:
    keys = {"model.path": OWN_MODELS / "demo.tflite", "module.name": "demo", **VARIANTS[name]}
    ingot("convert", "-q", "-o", folder / name, *settings(keys))
    doxygen([folder / name / "demo" / "includes-api"], folder / name / "out",
            "OPTIMIZE_OUTPUT_FOR_C = YES\nEXCLUDE_PATTERNS = *_kernels.h\n")


def check_finds_mistakes(folder: Path) -> None:
    """The settings do find a declaration, a parameter and a result without a comment."""
    header = folder / "mistakes.h"
    header.write_text("/** @file\n * Mistakes. */\n/** Does.\n * @param a number\n * @return 0 */\n"
                      "int documented(int a);\nint undocumented(void);\n/** Does. */\nint half(int b);\n"
                      "#define MACRO 1\n")
    try:
        doxygen([header], folder / "mistakes")
    except TestFailure as failure:
        missed = [name for name in ("undocumented", "half", "MACRO") if name not in str(failure)]
        if missed:
            raise TestFailure(f"Doxygen does not complain of {missed}: {failure}") from None
        return
    raise TestFailure("Doxygen does not find declarations without comments")


def main():
    folder = work_folder("doxygen")
    checks = {name: lambda name=name: check_variant(name, folder) for name in VARIANTS}
    checks["library"] = lambda: doxygen([ROOT / "include" / "ingot"], folder / "library")
    checks["mistakes"] = lambda: check_finds_mistakes(folder)

    def attempt(name):
        try:
            checks[name]()
        except TestFailure as failure:
            return f"{name}: {failure}"
        return None

    with ThreadPoolExecutor(2) as pool:
        failures = [failure for failure in pool.map(attempt, checks) if failure]
    finish("doxygen", failures, len(checks))


if __name__ == "__main__":
    main()
