#!/usr/bin/env python3
"""Holds generated modules against the promises of their API with lifecycle/lifecycle.c."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS, golden_case  # noqa: E402
from generated import STAGED  # noqa: E402
from modules import SANITIZERS, Toolchain, convert  # noqa: E402
from project import TestFailure, finish, run, work_folder  # noqa: E402

BUILDS = {
    "default": ([], {}),
    "staged": (["-DSTAGED"], {"memory.tensors": STAGED, "memory.auto_hydrate_constants": False}),
    "external": (["-DEXTERNAL"], {"memory.allocate_arenas": False}),
}


def main():
    folder = work_folder("lifecycle")
    case = golden_case(OWN_MODELS / "demo.tflite", OWN_MODELS / "golden" / "demo")
    failures = []
    for name, (defines, keys) in BUILDS.items():
        try:
            out = folder / name
            module = convert(case, "aot", out, {"test.enabled": True, **keys}).folder
            toolchain = Toolchain("gcc", "c99", ["-O1", *SANITIZERS])
            source = Path(__file__).with_name("lifecycle") / "lifecycle.c"
            run([*toolchain.command(), *defines, "-I", module / "includes-api", *sorted((module / "src").glob("*.c")),
                 source, "-o", out / "program"])
            done = run([out / "program", module / "aot_arena_const_dtcm__blob.bin"], expect=None,
                       env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
            failures += [f"{name}: {line}" for line in done.stdout.splitlines() if line.startswith("FAIL")]
            if done.returncode not in (0, 1) or not done.stdout.endswith(" wrong\n"):
                failures.append(f"{name}: status {done.returncode}: {done.stderr[-2000:]}")
        except TestFailure as failure:
            failures.append(f"{name}: {failure}")
    finish("lifecycle", failures, len(BUILDS))


if __name__ == "__main__":
    main()
