"""Converts cases to C modules, puts many into one program, and runs their vectors in it."""

import json
import os
import struct
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from cases import Case
from project import ROOT, TestFailure, ingot, run, settings

DRIVER = ROOT / "tests" / "end_to_end" / "driver"

# The flags under which a generated module promises to be clean; the last two are C's alone.
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Wcast-qual",
            "-Werror"]
C_WARNINGS = ["-Wstrict-prototypes", "-Wmissing-prototypes"]
SANITIZERS = ["-g1", "-pipe", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@dataclass
class Toolchain:
    compiler: str  # gcc or clang
    standard: str  # c99, c11, c++17
    flags: list[str] = field(default_factory=list)

    def command(self) -> list[str]:
        if self.standard.startswith("c++"):
            compiler = {"gcc": "g++", "clang": "clang++"}[self.compiler]
            return [compiler, "-x", "c++", f"-std={self.standard}", *WARNINGS, *self.flags]
        return [self.compiler, f"-std={self.standard}", *WARNINGS, *C_WARNINGS, *self.flags]

    def link_command(self) -> list[str]:
        plus = self.standard.startswith("c++")
        compiler = {"gcc": "g++", "clang": "clang++"}[self.compiler] if plus else self.compiler
        linker = ["-fuse-ld=lld"] if compiler.startswith("clang") and "-flto" in self.flags else []
        return [compiler, *self.flags, *linker]


@dataclass
class Module:
    case: Case
    prefix: str
    folder: Path
    residency: dict
    external_arenas: bool
    manual_hydration: bool
    self_test: bool


def convert(case: Case, prefix: str, out: Path, keys: dict | None = None) -> Module:
    """A module in out/<prefix>, or out/<module.name>, from the case's model; raises TestFailure
    when Ingot refuses it."""
    keys = {"module.name": prefix, "module.prefix": prefix, "memory.dump_residency_json": True,
            **case.settings, **(keys or {})}
    ingot("convert", case.model, "-o", out, *settings(keys))
    folder = out / keys["module.name"]
    residency = json.loads((folder / f"{prefix}_residency.json").read_text())
    staged = any(arena["kind"] == "staged" for arena in residency["arenas"]["constant"])
    return Module(case, prefix, folder, residency,
                  external_arenas=keys.get("memory.allocate_arenas") is False,
                  manual_hydration=staged and keys.get("memory.auto_hydrate_constants") is False,
                  self_test=bool(keys.get("test.enabled")))


def glue_source(module: Module) -> str:
    """The file that makes one module known to the driver."""
    sidecars = {}
    for arenas in module.residency["arenas"].values():
        for arena in arenas:
            sidecar = arena["storage"]["sidecar"]
            cold = arena.get("kind") == "cold"
            path = json.dumps(str(module.folder / sidecar["file"])) if sidecar and cold else "0"
            sidecars[arena["region_id"]] = path
    headers = ["model", "tensors"] + (["test_case"] if module.self_test else [])
    lines = [f'#include "{module.prefix}_{header}.h"' for header in headers]
    lines += [f"#define PREFIX {module.prefix}", f'#define MODULE_NAME "{module.case.name}"',
              f"#define EXTERNAL_ARENAS {int(module.external_arenas)}",
              f"#define MANUAL_HYDRATION {int(module.manual_hydration)}",
              f"#define SELF_TEST {int(module.self_test)}"]
    if module.external_arenas:
        table = ", ".join(sidecars[region] for region in sorted(sidecars))
        lines.append(f"static const char *const SIDECARS[] = {{{table}}};")
    return "\n".join([*lines, '#include "glue.h"', ""])


def table_source(modules: list[Module]) -> str:
    """The driver's table of modules."""
    names = [f"{module.prefix}_under_test" for module in modules]
    declarations = [f"extern const module_under_test {name};" for name in names]
    rows = [f"    &{name}," for name in names]
    return "\n".join(['#include "driver.h"', "#ifdef __cplusplus", 'extern "C" {', "#endif", *declarations,
                      "const module_under_test *const modules_under_test[] = {", *rows, "    0};",
                      "#ifdef __cplusplus", "}", "#endif", ""])


def compile_files(toolchain: Toolchain, sources: list[Path], includes: list[Path], folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    search = [word for path in includes for word in ("-I", path)]
    run([*toolchain.command(), *search, "-c", *sources], cwd=folder, timeout=1200)
    return [folder / (source.stem + ".o") for source in sources]


def build(modules: list[Module], toolchain: Toolchain, folder: Path, jobs: int = 1) -> Path:
    """One program of all modules; every warning is an error."""
    folder.mkdir(parents=True, exist_ok=True)

    def compile_module(module: Module) -> list[Path]:
        objects = folder / module.prefix
        objects.mkdir(exist_ok=True)
        glue = objects / f"{module.prefix}_glue.c"
        glue.write_text(glue_source(module))
        sources = sorted((module.folder / "src").glob("*.c"))
        return compile_files(toolchain, [*sources, glue], [module.folder / "includes-api", DRIVER], objects)

    table = folder / "table.c"
    table.write_text(table_source(modules))
    objects = compile_files(toolchain, [DRIVER / "driver.c", table], [DRIVER], folder)
    with ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(compile_module, modules):
            objects += result
    program = folder / "program"
    response = folder / "objects.txt"
    response.write_text("\n".join(str(path) for path in objects))
    run([*toolchain.link_command(), "-o", program, f"@{response}", "-lm"], timeout=1200)
    return program


def write_vectors(modules: list[Module], path: Path) -> int:
    """Every vector of every module in the driver's format; gives their number."""
    count = 0
    with path.open("wb") as stream:
        for number, module in enumerate(modules):
            for vector in module.case.vectors:
                stream.write(struct.pack("<II", number, len(vector.inputs)))
                for inputs, outputs in zip(vector.inputs, vector.outputs, strict=True):
                    stream.write(b"".join(inputs) + b"".join(outputs))
                count += 1
    return count


def run_program(program: Path, modules: list[Module]) -> tuple[list[str], int]:
    """Runs every vector: what is wrong, and how many vectors were tried."""
    vectors = program.with_name("vectors.bin")
    count = write_vectors(modules, vectors)
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1:strict_string_checks=1",
                   "UBSAN_OPTIONS": "print_stacktrace=1"}
    done = run([program, vectors], expect=None, env=environment, timeout=1200)
    failures = [line.removeprefix("FAIL ") for line in done.stdout.splitlines() if line.startswith("FAIL ")]
    summary = f"{len(modules)} modules, {count} vectors, {len(failures)} wrong"
    if done.returncode != 0 and not failures:
        failures.append(f"status {done.returncode}: {(done.stdout + done.stderr)[-4000:]}")
    elif not failures and not done.stdout.rstrip().endswith(summary):
        failures.append(f"the driver said '{done.stdout[-300:]}', expected '{summary}'")
    return failures, count


def convert_all(cases: list[Case], out: Path, keys: dict | None = None,
                start: str = "m") -> tuple[list[Module], list[str]]:
    """Converts every case under a prefix of its own; also what Ingot wrongly refused."""
    modules, failures = [], []
    for number, case in enumerate(cases):
        try:
            modules.append(convert(case, f"{start}{number}", out, keys))
        except TestFailure as failure:
            failures.append(f"{case.name}: {failure}")
    return modules, failures
