#!/usr/bin/env python3
"""Platforms as a user meets them: every built-in one converts a model, for every core; a board's own file does, with
its placement macros in the module's header; mistakes have their place and a suggestion.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS  # noqa: E402
from modules import C_WARNINGS, WARNINGS  # noqa: E402
from project import TestFailure, finish, ingot, run, work_folder  # noqa: E402

DEMO = OWN_MODELS / "demo.tflite"
CORES = ["cortex-m0", "cortex-m0plus", "m0+", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m23", "cortex-m33",
         "cortex-m55", "cortex-m85", "generic"]
BOARD = """name: my_board
cpu: cortex-m7
memories:
  - {name: fast, size: 64K}
  - {name: rom, size: 1M, kind: nonvolatile}
  - {name: itcm, size: 16K, code_only: true}
section_macros:
  PUT_IN_FAST: '__attribute__((section(".fast_bss")))'
  PUT_IN_ROM: '__attribute__((section(".rom")))'
"""
MISTAKES = {
    "name: b\nmemories: [{name: ram, sise: 4K}]\n": (":2:24", "did you mean 'size'?"),
    "name: b\ncpu: cortex-m44\nmemories: [{name: ram}]\n": (":2:6", "did you mean 'cortex-m4'?"),
    "name: b\nmemories: [{name: ram}]\norder: {scratch: [rom]}\n": ("", "did you mean 'ram'?"),
    "name: b\nmemories: [{name: ram}]\nsection_macros: {PUT_IN_RAN: x}\n": ("", "did you mean 'ram'?"),
}


def converts(*arguments) -> dict:
    return json.loads(ingot("convert", DEMO, "--dry-run", "--json", *arguments).stdout)


def check_built_in() -> int:
    names = [row["name"] for row in json.loads(ingot("platforms", "list", "--json").stdout)["platforms"]]
    for name in names:
        shown = json.loads(ingot("platforms", "show", name, "--json").stdout)["platform"]
        result = converts("--platform.name", name)
        memories = {memory["name"] for memory in shown["memories"]}
        for arena in result["arenas"]:
            if arena["memory"] not in memories or arena["memory"] not in shown["order"][arena["role"]]:
                raise TestFailure(f"{name}: {arena['role']} in {arena['memory']}")
    for core in CORES:
        converts("--platform.cpu", core)
    return len(names) + len(CORES)


def check_board(folder: Path) -> int:
    board = folder / "board.yaml"
    board.write_text(BOARD)
    ingot("convert", DEMO, "-q", "-o", folder, "--platform.name", board)
    module = folder / "aot_module"
    header = (module / "includes-api" / "aot_platform.h").read_text()
    for line in ('#define AOT_PUT_IN_FAST __attribute__((section(".fast_bss")))', "#define AOT_PUT_IN_FAST_INIT\n"):
        if line not in header:
            raise TestFailure(f"the platform header hasn't '{line}'")
    sources = sorted((module / "src").glob("*.c"))
    run(["gcc", "-std=c99", *WARNINGS, *C_WARNINGS, "-c", "-I", module / "includes-api", *sources], cwd=folder)
    sections = run(["objdump", "-h", folder / "aot_tensors.o", folder / "aot_constants.o"]).stdout
    for section in (".fast_bss", ".rom"):
        if section not in sections:
            raise TestFailure(f"nothing is in section {section}")
    return 1


def check_mistakes(folder: Path) -> int:
    for text, (place, hint) in MISTAKES.items():
        board = folder / "wrong.yaml"
        board.write_text(text)
        said = ingot("platforms", "show", board, expect=2).stderr
        if f"{board}{place}" not in said or hint not in said:
            raise TestFailure(f"{text}gives '{said}'")
    return len(MISTAKES)


def main():
    folder = work_folder("platforms")
    failures, tried = [], 0
    for check in (check_built_in, lambda: check_board(folder), lambda: check_mistakes(folder)):
        try:
            tried += check()
        except TestFailure as failure:
            failures.append(str(failure))
    finish("platforms", failures, tried)


if __name__ == "__main__":
    main()
