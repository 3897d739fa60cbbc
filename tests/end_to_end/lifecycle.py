#!/usr/bin/env python3
"""Holds generated modules against the promises of their API: the programs of lifecycle/, sanitised, in
each language that modules promise to be valid in."""

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS, golden_case  # noqa: E402
from generated import STAGED  # noqa: E402
from modules import SANITIZERS, Toolchain, compile_files, convert  # noqa: E402
from project import TestFailure, finish, run, work_folder  # noqa: E402

BY_HAND = {"memory.tensors": STAGED, "memory.auto_hydrate_constants": False}


@dataclass
class Program:
    name: str
    source: str
    defines: list[str] = field(default_factory=list)
    keys: dict = field(default_factory=dict)
    replaces: str = ""  # a source file of the module in whose place the program has its own
    second: dict | None = None  # keys of a second module, with the prefix `two`
    once: bool = False  # under the first toolchain alone: another one is no other proof


PROGRAMS = [
    Program("default", "lifecycle.c"),
    Program("staged", "lifecycle.c", ["-DSTAGED"], BY_HAND),
    Program("staged by init", "lifecycle.c", ["-DAUTO"], {"memory.tensors": STAGED}, once=True),
    Program("static", "lifecycle.c", ["-DSTRAIGHT"], {"module.schedule": "static"}),
    Program("external", "lifecycle.c", ["-DEXTERNAL"], {"memory.allocate_arenas": False}),
    Program("external backwards", "lifecycle.c", ["-DEXTERNAL", "-DBACKWARDS"],
            {"memory.allocate_arenas": False}, once=True),
    Program("own hydration", "hydration.c", [], {"memory.tensors": STAGED}),
    Program("own hydration by hand", "hydration.c", ["-DMANUAL"], BY_HAND),
    Program("failing operator", "failing.c", replaces="aot_max_pool_2d_1.c"),
    Program("failing operator static", "failing.c", ["-DSTRAIGHT"], {"module.schedule": "static"},
            replaces="aot_max_pool_2d_1.c"),
    Program("own hydration of external arenas", "hydration.c", ["-DEXTERNAL"],
            {"memory.tensors": STAGED, "memory.allocate_arenas": False}, once=True),
    Program("two modules", "two_modules.c", second={"memory.tensors": STAGED}),
    Program("no source", "hydration.c", ["-DNULL_SOURCE"], {"memory.tensors": STAGED}),
]

TOOLCHAINS = [Toolchain("gcc", "c99", ["-O1", *SANITIZERS]), Toolchain("clang", "c11", ["-O1", *SANITIZERS]),
              Toolchain("gcc", "c++17", ["-O1", *SANITIZERS])]


def remove_source(module: Path) -> None:
    """Takes the staged constants out of the image: what points to them is null."""
    constants = module / "src" / "aot_constants.c"
    text = constants.read_text()
    changed = text.replace("= aot_arena_const_dtcm__source;", "= NULL;")
    if changed == text:
        raise TestFailure("no address of the staged constants in aot_constants.c")
    constants.write_text(changed)


class Modules:
    """Each module is converted once, and compiled once with each toolchain, whoever asks for it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.case = golden_case(OWN_MODELS / "demo.tflite", OWN_MODELS / "golden" / "demo")
        self.folders, self.compiled = {}, {}

    def module(self, prefix: str, keys: dict, source_removed: bool) -> Path:
        key = json.dumps([prefix, keys, source_removed], sort_keys=True)
        if key not in self.folders:
            out = self.folder / f"module_{len(self.folders)}"
            self.folders[key] = convert(self.case, prefix, out, {"test.enabled": True, **keys}).folder
            if source_removed:
                remove_source(self.folders[key])
        return self.folders[key]

    def objects(self, module: Path, toolchain: Toolchain) -> list[Path]:
        key = (module, toolchain.compiler, toolchain.standard)
        if key not in self.compiled:
            self.compiled[key] = compile_files(toolchain, sorted((module / "src").glob("*.c")),
                                               [module / "includes-api"],
                                               module.with_name(f"{toolchain.compiler}_{toolchain.standard}"))
        return self.compiled[key]


def try_program(program: Program, toolchain: Toolchain, modules: Modules, folder: Path) -> list[str]:
    used = [modules.module("aot", program.keys, "-DNULL_SOURCE" in program.defines)]
    if program.second is not None:
        used.append(modules.module("two", program.second, False))
    objects = [path for module in used for path in modules.objects(module, toolchain)
               if path.name != program.replaces.replace(".c", ".o")]
    folders = [word for module in used for word in ("-I", module / "includes-api")]
    folder.mkdir(exist_ok=True)
    run([*toolchain.command(), *program.defines, *folders, "-c",
         Path(__file__).with_name("lifecycle") / program.source, "-o", folder / "main.o"])
    run([*toolchain.link_command(), folder / "main.o", *objects, "-lm", "-o", folder / "program"])
    done = run([folder / "program", used[0] / "aot_arena_const_dtcm__blob.bin"], expect=None,
               env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    failures = [line for line in done.stdout.splitlines() if line.startswith("FAIL")]
    if done.returncode not in (0, 1) or not done.stdout.endswith(" wrong\n"):
        failures.append(f"status {done.returncode}: {done.stderr[-2000:]}")
    return failures


def misaligned(folder: Path, case) -> list[str]:
    """Init finds out when the linker has not given an arena its alignment."""
    module = convert(case, "aot", folder / "misaligned").folder
    source = Path(__file__).with_name("lifecycle") / "misaligned.c"
    run(["gcc", "-DAOT_ALIGNED(n)=__attribute__((aligned(1)))",
         '-DAOT_PUT_IN_DTCM=__attribute__((section(".arena")))', "-I", module / "includes-api", source,
         *sorted((module / "src").glob("*.c")), "-o", folder / "misaligned" / "program"])
    done = run([folder / "misaligned" / "program"], expect=None)
    return [] if done.returncode == 0 else [f"misaligned: {done.stdout}"]


def main():
    folder = work_folder("lifecycle")
    modules = Modules(folder)
    failures, tried = [], 1
    for program in PROGRAMS:
        for toolchain in TOOLCHAINS[:1] if program.once else TOOLCHAINS:
            tried += 1
            where = f"{program.name}, {toolchain.compiler} {toolchain.standard}"
            try:
                wrong = try_program(program, toolchain, modules, folder / program.name.replace(" ", "_"))
                failures += [f"{where}: {line}" for line in wrong]
            except TestFailure as failure:
                failures.append(f"{where}: {failure}")
    try:
        failures += misaligned(folder, modules.case)
    except TestFailure as failure:
        failures.append(str(failure))
    finish("lifecycle", failures, tried)


if __name__ == "__main__":
    main()
