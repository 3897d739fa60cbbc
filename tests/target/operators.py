#!/usr/bin/env python3
"""One-operator models on every core: some of each operator's in tests/data/op-suite, all in one image a core."""

import json
import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import Case, operator_suite  # noqa: E402
from modules import Module, convert_all, glue_source, table_source, write_vectors  # noqa: E402
from project import ROOT, TestFailure, finish, run, work_folder  # noqa: E402
from runner import first_difference  # noqa: E402
from targets import CORES, verify  # noqa: E402

HERE = Path(__file__).resolve().parent
DRIVER = ROOT / "tests" / "end_to_end" / "driver"
TARGETS = ROOT / "targets"
EACH = 2  # models of an operator


def some_of_each(cases: list[Case]) -> list[Case]:
    """The first and the last of each folder, which is an operator, and those between at even distances."""
    groups = {}
    for case in cases:
        groups.setdefault(Path(case.name).parts[0], []).append(case)
    return [group[number] for group in groups.values()
            for number in sorted({i * (len(group) - 1) // (EACH - 1) for i in range(EACH)})]


def start(core: str, model: Path, folder: Path) -> list[str]:
    """What `ingot verify` builds a program with: start-up object and linker script in `folder`; gives
    QEMU's options."""
    verify(model, [], "--on", core, "--keep", folder)
    board = json.loads((TARGETS / "boards.json").read_text())[core]
    return ["-M", board["machine"], "-nographic", "-monitor", "none", "-serial", "none",
            "-semihosting-config", "enable=on,target=native", "-kernel", "many"]


def build(core: str, modules: list[Module], folder: Path) -> None:
    flags = ["-mthumb", "-O2", "-std=c99", "-ffunction-sections", "-fdata-sections",
             *json.loads((TARGETS / "boards.json").read_text())[core]["flags"]]
    (folder / "table.c").write_text(table_source(modules))
    run(["arm-none-eabi-gcc", *flags, "-I", DRIVER, "-I", TARGETS, "-c", HERE / "many.c", "table.c"],
        cwd=folder)
    for module in modules:
        glue = folder / f"{module.prefix}_glue.c"
        glue.write_text(glue_source(module))
        run(["arm-none-eabi-gcc", *flags, "-I", DRIVER, "-I", module.folder / "includes-api", "-c", glue.name,
             *sorted((module.folder / "src").glob("*.c"))], cwd=folder)
    objects = sorted(path.name for path in folder.glob("*.o") if path.name != "target_harness.o")
    run(["arm-none-eabi-gcc", *flags, "-nostartfiles", "--specs=nano.specs", "-Wl,--gc-sections",
         "-Wl,--no-warn-rwx-segments", "-T", "link.ld", *objects, "-lm", "-o", "many"], cwd=folder)


def compare(results: bytes, modules: list[Module]) -> list[str]:
    """Every status and output of the results against the vectors."""
    wrong, position = [], 0

    def take(size: int) -> bytes:
        nonlocal position
        position += size
        return results[position - size:position]

    for module in modules:
        for number, vector in enumerate(module.case.vectors):
            where = f"{module.case.name}, vector {number}"
            if take(4) != struct.pack("<i", 0):
                wrong.append(f"{where}: init failed")
            for outputs in vector.outputs:
                if take(4) != struct.pack("<i", 0):
                    wrong.append(f"{where}: run failed")
                wrong += [f"{where}: {found}" for expected in outputs
                          if (found := first_difference(take(len(expected)), expected))]
    if position != len(results):
        wrong.append(f"{len(results)} bytes of results, expected {position}")
    return wrong


def on_core(core: str, cases: list[Case], folder: Path) -> list[str]:
    modules, failures = convert_all(cases, folder / "modules",
                                    {"platform.name": f"generic_{core.replace('-', '_')}"})
    try:
        options = start(core, cases[0].model, folder / "program")
        build(core, modules, folder / "program")
        write_vectors(modules, folder / "program" / "vectors.bin")
        run(["qemu-system-arm", *options], cwd=folder / "program")
        failures += compare((folder / "program" / "results.bin").read_bytes(), modules)
    except TestFailure as failure:
        failures.append(str(failure))
    return [f"{core}: {failure}" for failure in failures]


def main():
    folder = work_folder("target/operators")
    cases = some_of_each(operator_suite())
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda core: on_core(core, cases, folder / core), CORES))
    finish("target operators", [wrong for result in results for wrong in result], len(CORES) * len(cases))


if __name__ == "__main__":
    main()
