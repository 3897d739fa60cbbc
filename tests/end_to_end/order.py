#!/usr/bin/env python3
"""Operators in another order than the model's: a model whose branches take turns, in need of another order, gives
the same bytes in both orders, on the host and as C, and says which order it has."""

import json
import sys
from pathlib import Path

import numpy as np
from ai_edge_litert import schema_py_generated as schema

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import Case, Vector  # noqa: E402
from graphs import GraphBuilder  # noqa: E402
from modules import SANITIZERS, Toolchain, build, convert, run_program  # noqa: E402
from project import finish, ingot, work_folder  # noqa: E402

BRANCHES, NARROW, WIDE = 4, 16, 512
INVOCATIONS = 3
MODEL_PEAK = NARROW + BRANCHES * WIDE + NARROW  # the last branch narrows while all the others are wide
FITS = 1024  # bytes: not the model's order, but the better one


def model() -> bytes:
    """Fully connected branches, wide in the middle, that are added up and remembered; breadth first."""
    builder = GraphBuilder()
    rng = np.random.default_rng(11)

    def activation(width: int) -> int:
        return builder.tensor("int8", (1, width), scale=(0.05,), zero_point=(3,))

    def connected(source: int, width_in: int, width_out: int) -> int:
        weights = builder.tensor("int8", (width_out, width_in), scale=(0.02,), zero_point=(0,),
                                 data=rng.integers(-127, 128, (width_out, width_in)))
        bias = builder.tensor("int32", (width_out,), scale=(0.05 * 0.02,), zero_point=(0,),
                              data=rng.integers(-2000, 2000, width_out))
        target = activation(width_out)
        builder.operator("FULLY_CONNECTED", [source, weights, bias], [target], builtin=schema.FullyConnectedOptionsT())
        return target

    source = activation(NARROW)
    wide = [connected(source, NARROW, WIDE) for _ in range(BRANCHES)]
    narrow = [connected(branch, WIDE, NARROW) for branch in wide]
    total = narrow[0]
    for branch in narrow[1:]:
        added = activation(NARROW)
        builder.operator("ADD", [total, branch], [added], builtin=schema.AddOptionsT())
        total = added
    return builder.build([source], [total])


def run_host(path: Path, source: Path, folder: Path, *arguments) -> bytes:
    ingot("run", path, "--input", f"0={source}", "--output-dir", folder, *arguments)
    return (folder / "output_0.bin").read_bytes()


def main() -> None:
    work = work_folder("order")
    path = work / "branches.tflite"
    path.write_bytes(model())
    rng = np.random.default_rng(2)
    inputs = [rng.integers(-128, 128, NARROW).astype(np.int8).tobytes() for _ in range(INVOCATIONS)]
    source = work / "in.bin"
    source.write_bytes(b"".join(inputs))

    # The reference's planner keeps the model's order.
    expected = run_host(path, source, work / "model", "--memory.planner=greedy")
    failures, tried = [], 0

    def check(what: str, holds: bool) -> None:
        nonlocal tried
        tried += 1
        if not holds:
            failures.append(what)

    check("the host gives other bytes in the new order", run_host(path, source, work / "best") == expected)
    outputs = [expected[i:i + NARROW] for i in range(0, len(expected), NARROW)]
    vectors = [Vector([[data] for data in inputs], [[data] for data in outputs])]
    # Too small for the model's order: the other one is the only one that fits.
    tight = {"platform.name": "nrf52840dk", "memory.constraints": f"[{{name: sram, max_size: {FITS}}}]"}
    modules = []
    free = {}

    def used(report: dict) -> int:
        return next(arena["used"] for arena in report["arenas"] if arena["role"] == "scratch")

    for name, keys in {"free": {}, "tight": tight, "greedy": {"memory.planner": "greedy"}}.items():
        modules.append(convert(Case(name, path, vectors, settings=keys), name, work / "modules"))
        report = json.loads((modules[-1].folder / f"{name}_report.json").read_text())
        order = report["order"]
        free = free or report
        numbers = [operator["id"] for operator in report["operators"]]
        if name == "greedy":
            check("greedy has an order of its own", order is None and numbers == sorted(numbers))
            saved = [hint["saves"] for hint in report["hints"] if hint["kind"] == "planner"]
            check(f"the hint to the other planner says {saved}", saved == [used(report) - used(free)])
            continue
        check(f"{name}: {order}", order["reordered"] and order["optimal"]
              and order["least_peak"] < order["model_peak"] <= MODEL_PEAK)
        check(f"{name}: the report's operators are in the order {numbers}", numbers != sorted(numbers))
        check(f"{name}: operators are missing", sorted(numbers) == list(range(len(numbers))))
    wrong, count = run_program(build(modules, Toolchain("gcc", "c99", ["-O1", *SANITIZERS]), work / "program"), modules)
    finish("order", failures + wrong, tried + count)


if __name__ == "__main__":
    main()
