#!/usr/bin/env python3
"""Placement macros put things where the plan says: modules are linked with a script of several memories,
and every arena, constant and function is looked up in what comes out."""

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS  # noqa: E402
from modules import C_WARNINGS, WARNINGS  # noqa: E402
from project import ROOT, TestFailure, finish, ingot, run, settings, work_folder  # noqa: E402

HERE = Path(__file__).resolve().parent / "placement"
CORE = ["-mcpu=cortex-m55", "-mthumb"]
MODEL = OWN_MODELS / "demo.tflite"

ITCM = '[{type: CONV_2D, attributes: {code_placement: ITCM}}, {id: softmax_7, attributes: {code_placement: itcm}}]'
COLD = "[{type: persistent, attributes: {memory: SRAM}}, {type: constant, attributes: {memory: MRAM}}]"
# Small constants in fast memory, the others staged there and to sram; work split in two.
STAGED = ("[{type: constant, attributes: {memory: MRAM, constant_destination_memory: SRAM}},"
          " {type: constant, id: 11, attributes: {memory: PSRAM}},"
          " {id: 5, attributes: {memory: MRAM, constant_destination_memory: DTCM}},"
          " {type: constant, attributes: {max_size: 128, memory: DTCM, constant_destination_memory: DTCM}},"
          " {type: scratch, id: [3, 7], attributes: {memory: SRAM}}]")


@dataclass
class Layout:
    name: str
    keys: dict
    flags: list[str] = field(default_factory=list)  # of the compiler
    macros: str = "placement.h"
    in_itcm: list[str] = field(default_factory=list)  # kernels


LAYOUTS = [
    Layout("cold", {"memory.tensors": COLD, "operators": ITCM}, ["-O0"], in_itcm=["conv_2d_s8", "softmax_s8"]),
    Layout("staged", {"memory.tensors": STAGED}, ["-Os"]),
    Layout("external", {"memory.tensors": COLD, "memory.allocate_arenas": False, "operators": ITCM},
           ["-O2", "-DEXTERNAL"], in_itcm=["conv_2d_s8", "softmax_s8"]),
    # One section for code, constants and zero objects of ITCM, as in Zephyr.
    Layout("one section", {"memory.tensors": "[{type: constant, attributes: {memory: ITCM}}]", "operators": ITCM},
           ["-Os"], macros="zephyr.h", in_itcm=["conv_2d_s8", "softmax_s8"]),
]


def memories() -> dict[str, range]:
    """The MEMORY lines of the linker script."""
    text = (HERE / "memories.ld").read_text()
    units = {"": 1, "K": 1024, "M": 1024 * 1024}
    return {name.lower(): range(int(origin, 16), int(origin, 16) + int(size) * units[unit])
            for name, origin, size, unit in
            re.findall(r"(\w+) +\(\w+\) +: ORIGIN = (0x\w+), LENGTH = (\d+)([KM]?)", text)}


MEMORIES = memories()


class Image:
    """What a linked program holds: symbols with address and size, and sections."""

    def __init__(self, path: Path):
        self.symbols = {}
        for line in run(["arm-none-eabi-nm", "-S", path]).stdout.splitlines():
            words = line.split()
            if len(words) == 4:
                # Bit 0 of a function's address says Thumb; nm leaves it out, as the map file does.
                self.symbols[words[3]] = (int(words[0], 16), int(words[1], 16), words[2])
        self.sections = []
        pattern = re.compile(r"\[ *\d+\] (\S+) +(\w+) +(\w+) +\w+ (\w+) ")
        for line in run(["arm-none-eabi-readelf", "-SW", path]).stdout.splitlines():
            if match := pattern.search(line):
                name, kind, address, size = match.groups()
                self.sections.append((name, kind, int(address, 16), int(size, 16)))
        self.segments = []
        for line in run(["arm-none-eabi-readelf", "-lW", path]).stdout.splitlines():
            words = line.split()
            if words and words[0] == "LOAD":
                self.segments.append([int(word, 16) for word in words[2:6]])  # virtual, physical, file, memory

    def memory(self, symbol: str) -> str | None:
        address = self.symbols[symbol][0] if symbol in self.symbols else -1
        return next((name for name, place in MEMORIES.items() if address in place), None)

    def kind(self, symbol: str) -> str:
        address = self.symbols[symbol][0]
        return next(kind for _, kind, start, size in self.sections if start and start <= address < start + size
                    or not start and kind != "NULL" and address < size)


def check_object(image: Image, symbol: str, memory: str, size: int, alignment: int, zero: bool) -> list[str]:
    if symbol not in image.symbols:
        return [f"{symbol} is not in the image"]
    address, got_size, _ = image.symbols[symbol]
    failures = []
    if image.memory(symbol) != memory:
        failures.append(f"{symbol} is in {image.memory(symbol)}, planned in {memory}")
    if address % alignment:
        failures.append(f"{symbol} at {address:#x} is not aligned to {alignment}")
    if got_size != size:
        failures.append(f"{symbol} has {got_size} bytes, planned {size}")
    if (image.kind(symbol) == "NOBITS") != zero:
        failures.append(f"{symbol} is in a section of kind {image.kind(symbol)}")
    return failures


def check_arenas(image: Image, residency: dict) -> list[str]:
    failures, checked = [], 0
    for kind, arenas in residency["arenas"].items():
        for arena in arenas:
            runtime, source = arena["storage"]["runtime"], arena["storage"]["source"]
            size = runtime["size_bytes"]
            if runtime["symbol"]:
                cold = kind == "constant" and source is None
                failures += check_object(image, runtime["symbol"], arena["memory"], size, arena["alignment"], not cold)
                checked += 1
            if source:
                failures += check_object(image, source["symbol"], source["memory"], size, arena["alignment"], False)
                checked += 1
    symbols = {"application_scratch": "dtcm", "application_state": "sram", "application_constants": "mram"}
    for symbol, memory in symbols.items():
        if symbol in image.symbols and image.memory(symbol) != memory:
            failures.append(f"{symbol} is in {image.memory(symbol)}")
        checked += symbol in image.symbols
    return failures if checked > 2 else [*failures, f"only {checked} arenas were checked"]


def functions_to_place(module: Path) -> set[str]:
    """The functions that the module's source puts in ITCM."""
    pattern = re.compile(r"^AOT_PUT_CODE_IN_ITCM\n[^(]*?(\w+)\(", re.M)
    return {name for path in (module / "src").glob("*.c") for name in pattern.findall(path.read_text())}


def check_code(image: Image, module: Path, layout: Layout) -> list[str]:
    failures = []
    placed = functions_to_place(module)
    expected = {f"aot_kernel_{name}" for name in layout.in_itcm}
    if layout.in_itcm:
        expected |= {"aot_conv_2d_0_run", "aot_conv_2d_2_run", "aot_softmax_7_run"}
        if not expected < placed:
            failures.append(f"no helper beside {expected} is placed: {placed}")
    # nm calls everything in a section with code a T, constants too.
    functions = [name for name, (_, _, kind) in image.symbols.items()
                 if kind in "tT" and name.startswith("aot_") and "_arena_" not in name]
    for name in functions:
        # Clones that the compiler makes of a function keep its name before a dot.
        memory = "itcm" if name.split(".")[0] in placed else "mram"
        if image.memory(name) != memory:
            failures.append(f"{name}() is in {image.memory(name)}, asked for {memory}")
    missing = expected - set(functions)
    return failures + [f"{name}() is not in the image" for name in sorted(missing)]


def check_flash(image: Image) -> list[str]:
    """All that is stored is stored in flash, the arenas are not, and the script places every section."""
    known = re.findall(r"^    (\.[\w.]+) ", (HERE / "memories.ld").read_text(), re.M)
    failures = [f"{size} bytes are to be loaded at {physical:#x}" for _, physical, size, _ in image.segments
                if size and physical not in MEMORIES["mram"]]
    return failures + [f"section {name} is not the script's" for name, _, address, size in image.sections
                       if address and size and name not in known]


def link(module: Path, layout: Layout, folder: Path) -> Image:
    sources = [*sorted((module / "src").glob("*.c")), HERE / "main.c"]
    if layout.keys.get("memory.allocate_arenas") is False:
        constants = folder / "constants.s"
        constants.write_text(".section .rodata\n.balign 16\n.global application_constants\napplication_constants:\n"
                             f'.incbin "{module / "aot_arena_const_mram__blob.bin"}"\n'
                             ".size application_constants, . - application_constants\n")
        sources.append(constants)
    program = folder / "program.elf"
    run(["arm-none-eabi-gcc", *CORE, "-std=c99", *WARNINGS, *C_WARNINGS, *layout.flags, "-ffreestanding",
         "-include", HERE / layout.macros, "-I", module / "includes-api", *sources, "-nostdlib", "-lgcc",
         "-T", HERE / "memories.ld", f"-Wl,-Map={folder / 'program.map'},--fatal-warnings,--no-warn-rwx-segments",
         "-o", program])
    return Image(program)


def try_layout(layout: Layout, folder: Path) -> list[str]:
    folder.mkdir()
    ingot("convert", MODEL, "-o", folder, *settings({"memory.dump_residency_json": True, **layout.keys}))
    module = folder / "aot_module"
    residency = json.loads((module / "aot_residency.json").read_text())
    image = link(module, layout, folder)
    failures = check_arenas(image, residency) + check_code(image, module, layout) + check_flash(image)
    files = {path.name for path in (module / "src").glob("aot_constants*.c")}
    stored = {arena["source_memory"] for arena in residency["arenas"]["constant"]}
    expected = {f"aot_constants_{memory}.c" for memory in stored} if len(stored) > 1 else {"aot_constants.c"}
    if files != expected:
        failures.append(f"files of constants: {files}, stored in {stored}")
    return [f"{layout.name}: {text}" for text in failures]


def check_page() -> list[str]:
    """The page of the documentation shows what is used here."""
    page = (ROOT / "docs" / "placing-code-and-data.md").read_text()
    macros = "".join(line for line in (HERE / "placement.h").read_text().splitlines(keepends=True)
                     if line.startswith("#define AOT_"))
    return [f"docs/placing-code-and-data.md does not show {name}" for name, text in
            (("memories.ld", (HERE / "memories.ld").read_text()), ("placement.h", macros)) if text not in page]


def main():
    folder = work_folder("placement")
    failures = check_page()
    for layout in LAYOUTS:
        try:
            failures += try_layout(layout, folder / layout.name.replace(" ", "_"))
        except TestFailure as failure:
            failures.append(f"{layout.name}: {failure}")
    finish("placement", failures, len(LAYOUTS))


if __name__ == "__main__":
    main()
