#!/usr/bin/env python3
"""Makes kernels/stack.json: how deep the stack gets in each kernel, on each core.

    stack_table.py            compares and says what differs; status 77 (in CI, 1) when GCC is another version than the
                              table's, so that figures cannot be compared
    stack_table.py --write    writes the table

The figures are GCC's own (-fstack-usage, -fcallgraph-info): along the deepest chain of calls, the sum of the frames
of an operator's run function, its kernel, the kernel's helpers, and the functions of libgcc and newlib that they call.
Every kernel is compiled in one file with all others, as one module might hold them, once as GCC inlines of itself and
once with every helper inlined, as when it is alone; for cores that may have a floating-point unit, with it and without.
The largest counts. Needs gcc-arm-none-eabi and a built Ingot ($INGOT_PROGRAM or build/ingot).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "lib"))

from graphs import ABSENT, GraphBuilder  # noqa: E402

TABLE = ROOT / "kernels" / "stack.json"
COMPILER = "arm-none-eabi-gcc"
SKIPPED = 77  # the exit status that ctest takes for "not tried"
FLAGS = ["-std=c99", "-O2", "-mthumb"]
# For each core the compiler's flags, one list for each instruction set that its parts come with.
CORES = {
    "cortex-m0": [["-mcpu=cortex-m0"]],
    "cortex-m3": [["-mcpu=cortex-m3"]],
    "cortex-m4": [["-mcpu=cortex-m4"], ["-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]],
    "cortex-m7": [["-mcpu=cortex-m7"], ["-mcpu=cortex-m7", "-mfloat-abi=hard", "-mfpu=fpv5-d16"]],
    "cortex-m23": [["-mcpu=cortex-m23"]],
    "cortex-m33": [["-mcpu=cortex-m33"], ["-mcpu=cortex-m33", "-mfloat-abi=hard", "-mfpu=fpv5-sp-d16"]],
    "cortex-m55": [["-mcpu=cortex-m55"], ["-mcpu=cortex-m55", "-mfloat-abi=hard"]],
}
# Cores with the instructions of another one (GCC 12 does not know the name of the second).
SAME = {"cortex-m0plus": "cortex-m0", "cortex-m85": "cortex-m55"}
ALL_INLINE = "-Dinline=inline __attribute__((always_inline))"
STAGED = "[{type: constant, attributes: {memory: MRAM, constant_destination_memory: DTCM}}]"
OPERANDS = [2, 3, 4, 6, 11, 40, 150]  # numbers of them that custom operators are tried with
OPERAND_SIZE = 36  # bytes of <p>_operand_t on these cores
# Modules between which the functions around the operators take every form.
MODULES = {"plain": [], "static": ["--module.schedule=static"],
           "external": [f"--memory.tensors={STAGED}", "--no-memory.allocate-arenas"]}


def run(command, **options) -> str:
    return subprocess.run([str(word) for word in command], check=True, text=True, stdout=subprocess.PIPE,
                          **options).stdout


def kernels() -> dict[str, int]:
    """The kernels and how many arguments each has beside its descriptor."""
    result = {}
    for path in sorted((ROOT / "kernels").glob("*.c")):
        header = path.with_suffix(".h").read_text()
        prototype = re.search(rf"ingot_kernel_{path.stem}\(([^)]*)\)", header)
        result[path.stem] = prototype.group(1).count(",")
    return result


def kernels_source() -> str:
    return "".join(f'#include "{name}.c"\n' for name in kernels())


def callers_source() -> str:
    """A run function for each number of arguments: two kernels in order, as the layer template has them."""
    text = "#include <stdint.h>\ntypedef struct { int32_t state; int8_t *tensors[16]; } context_t;\n"
    for count in sorted(set(kernels().values())):
        types = ", int8_t *" * count
        values = "".join(f", ctx->tensors[{i}]" for i in range(count))
        text += (f"int32_t kernel_{count}(const int *d{types});\nextern const int a_{count}, b_{count};\n"
                 f"int32_t run_{count}(context_t *ctx)\n{{\n    int32_t status = kernel_{count}(&a_{count}{values});\n"
                 f"    if (status == 0) {{\n        status = kernel_{count}(&b_{count}{values});\n    }}\n"
                 f"    return status;\n}}\n")
    return text


class Calls:
    """Functions with their frames in bytes and whom they call."""

    def __init__(self):
        self.frames: dict[str, int] = {}
        self.callees: dict[str, set[str]] = {}

    def read_graph(self, text: str) -> None:
        """GCC's call graph. Functions of other files have no frame in it."""
        for title, frame in re.findall(r'node: { title: "([^"]*)" label: "[^"]*\\n(\d+) bytes \(static\)', text):
            self.frames[title] = int(frame)
        if "(dynamic" in text:
            raise ValueError("a frame without a bound")
        for source, target in re.findall(r'sourcename: "([^"]*)" targetname: "([^"]*)"', text):
            self.callees.setdefault(source, set()).add(target)

    def missing(self) -> set[str]:
        called = set().union(*self.callees.values()) if self.callees else set()
        return {name for name in called - set(self.frames) if not name.startswith("__indirect")}

    def read_disassembly(self, text: str) -> None:
        """The library's functions, from what they push and where they branch to."""
        for name, body in re.findall(r"^[0-9a-f]+ <([^>]+)>:\n((?:.+\n)*)", text, re.M):
            frame = 0
            for word, operands in re.findall(r"\t((?:v?push|stmdb|sub|subw|str|strd|stmfd)(?:\.w)?)\t([^@;\n]*)", body):
                word = word.removesuffix(".w")
                if word in ("push", "vpush") or (word.startswith("stm") and operands.startswith("sp!")):
                    size = 8 if word == "vpush" and "d" in operands else 4
                    frame += size * count_registers(operands)
                elif word.startswith("sub") and operands.startswith("sp"):
                    frame += int(re.search(r"#(\d+)", operands).group(1))
                elif word.startswith("str") and (found := re.search(r"\[sp, #-(\d+)\]!", operands)):
                    frame += int(found.group(1))
            self.frames[name] = frame
            branches = re.findall(r"\tb(?:lx?|[a-z]{2})?(?:\.[nw])?\t[0-9a-f]+ <([^>+]+)>", body)
            self.callees[name] = {target for target in branches if target != name}

    def depth(self, name: str, above: tuple = ()) -> int:
        """Bytes along the deepest chain of calls from `name`; functions without a frame count nothing."""
        if name in above:
            if name in LOOPS:
                return 0
            raise ValueError(f"{name} calls itself")
        deepest = max((self.depth(callee, above + (name,)) for callee in sorted(self.callees.get(name, ()))), default=0)
        return self.frames.get(name, 0) + deepest


LOOPS: set[str] = set()


def count_registers(operands: str) -> int:
    total = 0
    for part in re.search(r"{([^}]*)}", operands).group(1).split(","):
        first, _, last = part.strip().partition("-")
        number = re.compile(r"\d+")
        total += int(number.search(last).group()) - int(number.search(first).group()) + 1 if last else 1
    return total


def graph(source: str, flags: list[str], folder: Path, name: str) -> str:
    path = folder / f"{name}.c"
    path.write_text(source)
    run([COMPILER, *FLAGS, *flags, "-fstack-usage", "-fcallgraph-info=su", "-c", path, "-o", folder / f"{name}.o"])
    return (folder / f"{name}.ci").read_text().replace(f"{path}:", "")


def library(names: set[str], flags: list[str], folder: Path) -> str:
    """The disassembly of a program with these functions of libgcc and newlib."""
    path = folder / "library.c"
    path.write_text("".join(f"void {name}(void);\n" for name in sorted(names)) + "void (*const table[])(void) = {" +
                    ", ".join(sorted(names)) + "};\nint main(void) { return table[0] == 0; }\n")
    program = folder / "library.elf"
    run([COMPILER, *FLAGS, *flags, "-fno-builtin", "-nostartfiles", "-Wl,-e,main", "-specs=nosys.specs", path, "-o", program],
        stderr=subprocess.DEVNULL)
    return run(["arm-none-eabi-objdump", "-d", "--no-show-raw-insn", program])


def measure(target: list[str], modules: Path) -> dict[str, int]:
    """Bytes by kernel, and of `init` and `run` around them, with a core's flags."""
    flags = [*target, f"-I{ROOT / 'kernels'}"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        graphs = [graph(kernels_source() + callers_source(), flags + more, folder, f"kernels_{i}")
                  for i, more in enumerate(([], [ALL_INLINE]))]
        graphs += [graph(f'#include "{modules}/{kind}/src/aot_model.c"\n#include "{modules}/{kind}/src/aot_context.c"\n'
                         f'#include "{modules}/{kind}/src/aot_tensors.c"\n',
                         [*flags, f"-I{modules}/{kind}/includes-api"], folder, kind) for kind in MODULES]
        each = []
        for text in graphs:
            calls = Calls()
            calls.read_graph(text)
            each.append(calls)
        operators = {name for calls in each for name in calls.missing() if re.search(r"_\d+_(run|init)$", name)}
        others = {name for calls in each for name in calls.missing()} - operators
        names = {name for name in others if not name.startswith(("kernel_", "aot_"))}
        text = library(names, flags, folder)
    for calls in each:
        own = dict(calls.frames), {name: set(called) for name, called in calls.callees.items()}
        calls.read_disassembly(text)
        calls.frames.update(own[0])
        calls.callees.update(own[1])
    result = {}
    for kernel, arguments in kernels().items():
        result[kernel] = max(calls.frames[f"run_{arguments}"] + calls.depth(f"ingot_kernel_{kernel}")
                             for calls in each[:2])
    for part in ("init", "run"):
        result[part] = max(calls.depth(f"aot_model_{part}") for calls in each[2:])
    return result


def custom_models(folder: Path) -> dict[int, Path]:
    """Models with custom operators, by the number of operands: some absent, some without data, the others quantised."""
    models = {}
    for count in OPERANDS:
        builder = GraphBuilder()
        tensors = [builder.tensor("int8", [4], scale=[0.5], zero_point=[1]) for _ in range(count)]
        absent = [ABSENT] * (count // 3)
        builder.operator("CUSTOM", tensors[:1] + absent + tensors[1:-1 - len(absent)], tensors[-1:], custom="f", options=b"o")
        models[count] = folder / f"custom_{count}.tflite"
        models[count].write_bytes(builder.build(tensors[:-1], tensors[-1:]))
    return models


def measure_custom(target: list[str], modules: Path) -> int:
    """Bytes of the function around a custom operator, without the list of operands: the most for any length."""
    most = 0
    for count in OPERANDS:
        module = modules / f"custom_{count}"
        source = next(path for path in (module / "src").glob("*.c") if f"{path.stem}_run(" in path.read_text()
                      and "_call_t call =" in path.read_text())
        flags = [*target, f"-I{module / 'includes-api'}"]
        with tempfile.TemporaryDirectory() as name:
            calls = Calls()
            calls.read_graph(graph(f'#include "{source}"\n', flags, Path(name), "custom"))
            own = dict(calls.frames), dict(calls.callees)
            calls.read_disassembly(library({"memset", "memcpy"} | {name for name in calls.missing() if "aot_" not in name},
                                           flags, Path(name)))
        calls.frames.update(own[0])
        calls.callees.update(own[1])
        most = max(most, calls.depth(f"{source.stem}_run") - OPERAND_SIZE * count)
    return most


def table() -> dict:
    program = os.environ.get("INGOT_PROGRAM", ROOT / "build" / "ingot")
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
        for kind, flags in MODULES.items():
            run([program, "convert", "-q", ROOT / "tests" / "models" / "demo.tflite", "-o", name,
                 f"--module.name={kind}", *flags])
        for count, model in custom_models(Path(name)).items():
            run([program, "convert", "-q", model, "-o", name, f"--module.name=custom_{count}",
                 "--custom_operators=[{name: f}]"])
        custom = {core: [pool.submit(measure_custom, flags, Path(name)) for flags in choices]
                  for core, choices in CORES.items()}
        jobs = {core: [pool.submit(measure, flags, Path(name)) for flags in choices]
                for core, choices in CORES.items()}
        found = {core: [job.result() for job in list_of] for core, list_of in jobs.items()}
        around = {core: max(job.result() for job in list_of) for core, list_of in custom.items()}
    around |= {core: around[other] for core, other in SAME.items()}
    found |= {core: found[other] for core, other in SAME.items()}
    rows = {row: {core: max(result[row] for result in found[core]) for core in sorted(found)}
            for row in found["cortex-m0"][0]}
    return {"compiler": run([COMPILER, "--version"]).splitlines()[0], "flags": " ".join(FLAGS),
            "module": {part: rows.pop(part) for part in ("init", "run")} | {"custom": dict(sorted(around.items()))},
            "operand": OPERAND_SIZE, "kernels": rows}


def to_text(value: dict) -> str:
    """JSON with one line for each row of figures."""
    text = json.dumps(value, indent=2)
    return re.sub(r"{\s+((?:\"cortex-[^{}]*))\s+}", lambda row: "{" + " ".join(row.group(1).split()) + "}", text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    made = table()
    if arguments.write:
        TABLE.write_text(to_text(made))
        return
    present = json.loads(TABLE.read_text())
    if present["compiler"] != made["compiler"]:
        wrong = sorted(present["kernels"].keys() ^ made["kernels"].keys())
    else:
        wrong = ["operand"] if present.get("operand") != made["operand"] else []
        wrong += [row for part in ("module", "kernels") for row in sorted(present[part].keys() | made[part].keys())
                 if present[part].get(row) != made[part].get(row)]
    if wrong:
        sys.exit(f"kernels/stack.json is not up to date (scripts/stack_table.py --write): {', '.join(wrong)}")
    if present["compiler"] != made["compiler"]:
        print(f"the table has a row for each of the {len(made['kernels'])} kernels; the figures were not compared: they are "
              f"of {present['compiler']}, and here is {made['compiler']}")
        sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
    print(f"stack figures of {len(made['kernels'])} kernels on {len(CORES) + len(SAME)} cores: up to date")


if __name__ == "__main__":
    main()
