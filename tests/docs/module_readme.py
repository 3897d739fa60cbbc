#!/usr/bin/env python3
"""The README of generated modules: it says what it has to, and its example compiles and runs as it stands there.

For each variant of module the C blocks and the assembler block are taken out of the text, compiled with every warning
an error, in C and in C++, and run; the self-test must pass too.
"""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import flatbuffers
from ai_edge_litert import schema_py_generated as schema

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OPERATOR_SUITE, OWN_MODELS  # noqa: E402
from modules import Toolchain  # noqa: E402
from project import TestFailure, finish, ingot, run, settings, work_folder  # noqa: E402

STAGED = "[{type: constant, attributes: {memory: MRAM, constant_destination_memory: DTCM}}]"
SPLIT = "[{type: constant, attributes: {memory: MRAM}}, {type: constant, id: '11', attributes: {memory: SRAM}}]"
DEMO = OWN_MODELS / "demo.tflite"

VARIANTS = {
    "plain": {"test.enabled": True},
    "prefix": {"module.prefix": "Net_2", "module.name": "my-net", "test.enabled": True},
    "static": {"module.schedule": "static"},
    "nsx": {"module.type": "nsx"},
    "cmsis_pack": {"module.type": "cmsis_pack"},
    "staged": {"memory.tensors": STAGED, "test.enabled": True},
    "staged-by-hand": {"memory.tensors": STAGED, "memory.auto_hydrate_constants": False, "test.enabled": True},
    "external": {"memory.allocate_arenas": False, "module.prefix": "ext"},
    "external-split": {"memory.allocate_arenas": False, "memory.tensors": SPLIT},
    "external-staged": {"memory.allocate_arenas": False, "memory.tensors": STAGED,
                        "memory.auto_hydrate_constants": False},
}
OTHER_TYPES = ["QUANTIZE/float32_to_int16_1x257.tflite", "DEQUANTIZE/uint8_1x17.tflite",
               "QUANTIZE/int32_to_int8_1x17.tflite", "QUANTIZE/int16_to_int32_1x17.tflite"]
COMPILERS = [Toolchain("gcc", "c99", ["-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"]),
             Toolchain("clang", "c++17", ["-O0"])]


def block(text: str, language: str, which: int = 0) -> str | None:
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
    return found[which] if len(found) > which else None


def must_say(readme: str, prefix: str, keys: dict) -> list[str]:
    """What a reader looks for and the text doesn't have."""
    wanted = ["## Inputs and outputs", "quantisation", "## Example", "## Memory", "Stack: ", "## Adding it to your build",
              "## Making it again", "Ingot ", "SHA-256 of the model", "| transforms |", "API version", "## Licence",
              f"{prefix}_model_init", f"{prefix}_report.json", "GCC", "every byte"]
    wanted += ["## Self-test"] if keys.get("test.enabled") else []
    wanted += [".incbin"] if keys.get("memory.allocate_arenas") is False and keys.get("memory.tensors") != STAGED else []
    return [phrase for phrase in wanted if phrase.lower() not in readme.lower()]


def model_without_inputs(path: Path) -> Path:
    """A model that gives a constant, and has no operators."""
    source = (OPERATOR_SUITE / "GRAPH" / "constant_output.tflite").read_bytes()
    model = schema.ModelT.InitFromPackedBuf(source, 0)
    graph = model.subgraphs[0]
    graph.inputs, graph.operators, graph.outputs = [], [], [1]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    path.write_bytes(bytes(builder.Output()))
    return path


def build(toolchain: Toolchain, module: Path, readme: str, self_test: bool, folder: Path) -> Path:
    folder.mkdir()
    (folder / "main.c").write_text(block(readme, "c", int(self_test)))
    sources = [folder / "main.c", *sorted((module / "src").glob("*.c"))]
    assembler = block(readme, "asm")
    objects = []
    if assembler:
        path = folder / "constants.s"
        path.write_text(assembler + '    .section .note.GNU-stack,"",%progbits\n')
        run(["gcc", "-c", path, "-o", folder / "constants.o"], cwd=module)
        objects = [folder / "constants.o"]
    run([*toolchain.command(), "-I", module / "includes-api", "-c", *sources], cwd=folder)
    program = folder / "program"
    run([*toolchain.link_command(), *sorted(folder.glob("*.o")), "-o", program, "-lm"])
    return program


def check(name: str, model: Path, keys: dict, folder: Path) -> None:
    keys = {"module.name": "demo", **keys}
    ingot("convert", model, "-q", "-o", folder, *settings(keys))
    module = folder / keys["module.name"]
    readme = (module / "README.md").read_text()
    missing = must_say(readme, keys.get("module.prefix", "aot"), keys)
    if missing:
        raise TestFailure(f"the README doesn't say {missing}")
    for number, toolchain in enumerate(COMPILERS):
        program = build(toolchain, module, readme, False, folder / f"example-{number}")
        said = run([program]).stdout
        if not said.startswith("output 0 "):
            raise TestFailure(f"the example says '{said}'")
    if keys.get("test.enabled"):
        run([build(COMPILERS[0], module, readme, True, folder / "self-test")])


def main():
    folder = work_folder("module_readme")
    jobs = [(name, DEMO, keys) for name, keys in VARIANTS.items()]
    # Models with other types at their ends: int16, uint8, int32, float.
    jobs.append(("no_inputs", model_without_inputs(folder / "no_inputs.tflite"), {"test.enabled": True}))
    jobs += [(Path(path).stem, OPERATOR_SUITE / path, {}) for path in OTHER_TYPES]

    def attempt(job):
        name, model, keys = job
        try:
            check(name, model, keys, folder / name)
        except TestFailure as failure:
            return f"{name}: {failure}"
        return None

    with ThreadPoolExecutor(2) as pool:
        failures = [failure for failure in pool.map(attempt, jobs) if failure]
    finish("module README", failures, len(jobs))


if __name__ == "__main__":
    main()
