#!/usr/bin/env python3
"""Does what the documentation shows: runs its commands, loads its YAML, compiles its C, follows its links.

The blocks of a page are done in order in one folder, which holds what a reader would have: `model.tflite`, an input
for it, and Ingot as `ingot` and as `build/ingot`. What a console block shows is compared; a line `...` stands for any
lines. A block that can't be done here says why in a comment (tests/lib/pages.py), and so does SKIPPED for commands.
"""

import os
import re
import shlex
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS  # noqa: E402
from modules import C_WARNINGS, WARNINGS  # noqa: E402
from pages import Block, blocks, broken_links, pages  # noqa: E402
from project import ROOT, TestFailure, finish, ingot, program, run, work_folder  # noqa: E402

# Commands that a reader types in the project's folder, and that other tests do or that only a person can.
SKIPPED = {
    "scripts/": "installs packages, or builds and tests everything: the CI's own steps",
    "cmake --preset": "builds everything: the CI's own step",
    "cmake --install build": "tests/end_to_end/install.py installs",
    "ctest": "runs the tests",
    "bench/": "measures",
    "./run.sh": "tests/end_to_end/example.py runs the examples",
}
SHELL = ["sh", "console", "bash"]
NOTHING_TO_DO = ["", "text", "asm", "cmake", "json", "cpp", "make", "ld", "kconfig", "ini", "xml", "diff"]


def prepare(folder: Path) -> None:
    folder.mkdir(parents=True)
    shutil.copy(OWN_MODELS / "demo.tflite", folder / "model.tflite")
    (folder / "input.bin").write_bytes(bytes(768))
    (folder / "config.yaml").write_text("memory: {dump_residency_json: true}\n")
    (folder / "build").mkdir()
    (folder / "build" / "ingot").symlink_to(program())


def shell(command: str, folder: Path, status: int) -> str:
    environment = {**os.environ, "PATH": f"{folder / 'build'}:{os.environ['PATH']}", "COLUMNS": "100"}
    done = run(["bash", "-euo", "pipefail", "-c", command + "\n"], cwd=folder, expect=status, env=environment)
    return done.stdout + done.stderr


def skipped(command: str) -> bool:
    return command.strip().startswith(tuple(SKIPPED))


def matches(shown: str, said: str) -> bool:
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in shown.splitlines())
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in said.splitlines())) is not None


def run_shell(block: Block, folder: Path) -> None:
    status = int(block.argument) if block.directive == "exit" else 0
    if block.language != "console":
        lines = [line for line in block.text.replace("\\\n", "").splitlines() if line and not skipped(line)]
        if lines:
            shell("\n".join(lines), folder, status)
        return
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        command, shown = re.match(r"((?:.*\\\n)*.*)\n((?:.*\n)*)", part).groups()
        if skipped(command):
            continue
        said = shell(command, folder, status)
        if shown and not matches(shown, said):
            raise TestFailure(f"'{command}' is shown to say\n{shown}and says\n{said}")


def load_yaml(block: Block, folder: Path) -> None:
    path = folder / f"block_{block.line}.yaml"
    path.write_text(block.text)
    content = yaml.safe_load(block.text)
    if not isinstance(content, dict):
        raise TestFailure("a YAML block has to be a whole configuration or platform")
    if "memories" in content:
        ingot("platforms", "show", path)
    else:
        ingot("convert", "model.tflite", "--path", path, "--dry-run", cwd=folder)


def compile_c(block: Block, folder: Path) -> None:
    place = folder / f"block_{block.line}"
    keys = [f"--{setting}" for setting in shlex.split(block.argument)] if block.directive == "module" else []
    ingot("convert", OWN_MODELS / "demo.tflite", "-q", "-o", place, "--test.enabled", *keys)
    source = place / "block.c"
    source.write_text(block.text)
    run(["gcc", "-std=c99", *WARNINGS, *C_WARNINGS, "-Wno-missing-prototypes", "-fsyntax-only", "-I",
         place / "aot_module" / "includes-api", source])


def do(block: Block, folder: Path) -> bool:
    """False when there was nothing to do."""
    if block.directive == "skip":
        if not block.argument:
            raise TestFailure("a block is skipped without a reason")
        return False
    if block.directive == "file":
        (folder / block.argument).write_text(block.text)
        if block.language != "yaml":
            return True
    if block.language == "indented":
        if not skipped(block.text):
            fresh = folder / f"line_{block.line}"
            prepare(fresh)
            shell(block.text.strip(), fresh, 0)
        return True
    if block.language in SHELL:
        run_shell(block, folder)
    elif block.language == "yaml":
        load_yaml(block, folder)
    elif block.language == "c":
        compile_c(block, folder)
    elif block.language in NOTHING_TO_DO:
        return False
    else:
        raise TestFailure(f"the test doesn't know blocks of '{block.language}'")
    return True


def check(page: Path, base: Path) -> tuple[list[str], int]:
    folder = base / str(page.relative_to(ROOT)).replace("/", "_")
    prepare(folder)
    failures = [f"{page.relative_to(ROOT)}: the link {link} leads nowhere" for link in broken_links(page)]
    done = 0
    for block in blocks(page):
        try:
            done += do(block, folder)
        except (TestFailure, yaml.YAMLError) as failure:
            failures.append(f"{block.place}: {failure}")
    return failures, done


def main():
    base = work_folder("docs")
    chosen = [Path(name).resolve() for name in sys.argv[1:]] or pages()
    failures, done = [], 0
    with ThreadPoolExecutor(2) as pool:
        for wrong, count in pool.map(lambda page: check(page, base), chosen):
            failures += wrong
            done += count
    finish("documentation", failures, done)


if __name__ == "__main__":
    main()
