#!/usr/bin/env python3
"""The stack that a module with a custom operator promises is no less than what a run takes, however many operands
there are: the application's function here takes none of its own."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from graphs import ABSENT, GraphBuilder  # noqa: E402
from project import TestFailure, finish, work_folder  # noqa: E402
from targets import verify  # noqa: E402

CORES = ["cortex-m0", "cortex-m4", "cortex-m55"]
OPERANDS = [2, 7, 60]
OPERAND_SIZE = 36
SLACK = 200  # bytes that the promise may be above what is taken
SOURCE = """#include "aot_custom.h"
int32_t aot_custom_leaf(aot_model_context_t *ctx, const aot_operator_call_t *call)
{
    (void)ctx;
    *(int8_t *)call->outputs[0].data = *(const int8_t *)call->inputs[0].data;
    return 0;
}
"""


def make(count: int, folder: Path) -> tuple[Path, Path]:
    """A model whose operator has this many operands, a few of them absent, and its vectors."""
    builder = GraphBuilder()
    absent = [ABSENT] * (count // 5)
    tensors = [builder.tensor("int8", [1], scale=[0.5], zero_point=[1]) for _ in range(count - len(absent))]
    builder.operator("CUSTOM", [tensors[0], *absent, *tensors[1:-1]], tensors[-1:], custom="leaf")
    model, vectors = folder / f"{count}.tflite", folder / f"{count}.npz"
    model.write_bytes(builder.build(tensors[:-1], tensors[-1:]))
    inputs = {f"input_{k}": np.full((2, 1), [[k % 100], [-k % 100]], np.int8) for k in range(len(tensors) - 1)}
    np.savez(vectors, **inputs, output_0=inputs["input_0"])
    return model, vectors


def check(core: str, count: int, folder: Path) -> list[str]:
    model, vectors = make(count, folder)
    kept = folder / f"kept-{count}"
    try:
        result = verify(model, [vectors], "--on", core, "--source", folder / "leaf.c", "--keep", kept,
                        keys={"custom_operators": "[{name: leaf}]"})
    except TestFailure as failure:
        return [f"{core}, {count} operands: {failure}"]
    report = json.loads((kept / "module" / "aot_report.json").read_text())["stack"]
    used, promised = result["measured"]["peak_stack"]["run"], report["bytes"]
    wrong = [] if result["equal"] else ["wrong results"]
    if report["core"] != core or report["not_counted"] != ["leaf"] or report["deepest"] != "operator 0":
        wrong.append(f"the report says {report}")
    if not OPERAND_SIZE * count < used <= promised <= used + SLACK:
        wrong.append(f"takes {used} bytes of stack, its report says {promised}")
    return [f"{core}, {count} operands: {what}" for what in wrong]


def main():
    folder = work_folder("target/custom")
    jobs = [(core, count, folder / core) for core in CORES for count in OPERANDS]
    for core in CORES:
        (folder / core).mkdir()
        (folder / core / "leaf.c").write_text(SOURCE)
    with ThreadPoolExecutor(2) as pool:
        failures = [wrong for result in pool.map(lambda job: check(*job), jobs) for wrong in result]
    finish("stack of custom operators", failures, len(jobs))


if __name__ == "__main__":
    main()
