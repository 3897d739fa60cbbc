#!/usr/bin/env python3
"""Slices as views, joined tensors written into place, and offsets that the model or a rule fixes: the same bytes as
with a place for each tensor, on the host, operator by operator, and as C."""

import json
import struct
import sys
from pathlib import Path

import numpy as np
from ai_edge_litert import schema_py_generated as schema

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import Case, Vector  # noqa: E402
from graphs import GraphBuilder  # noqa: E402
from modules import SANITIZERS, Toolchain, build, convert, run_program  # noqa: E402
from project import finish, ingot, work_folder  # noqa: E402

WIDTH, RESULT, WIDE = 64, 128, 1024  # bytes of the input, each result, and the second output
BRANCHES, INVOCATIONS = 2, 3
SPACING = 4096  # bytes between the tensors of the model's own plan


def model(offline=None) -> bytes:
    """An input split in two, a fully connected layer on each half, the results joined, a piece of that
    added to itself and made wide; `offline` makes the metadata from the tensors that are no constants, by index."""
    builder = GraphBuilder()
    rng = np.random.default_rng(5)
    scratch = []

    def activation(width: int) -> int:
        scratch.append(builder.tensor("int8", (1, width), scale=(0.05,), zero_point=(3,)))
        return scratch[-1]

    def constant(dtype: str, values, **quantisation) -> int:
        return builder.tensor(dtype, np.shape(values), data=values, **quantisation)

    source = activation(WIDTH)
    half = WIDTH // BRANCHES
    halves = [activation(half) for _ in range(BRANCHES)]
    options = schema.SplitOptionsT()
    options.numSplits = BRANCHES
    builder.operator("SPLIT", [constant("int32", 1), source], halves, builtin=options)

    def connected(source: int, width_in: int, width_out: int) -> int:
        weights = constant("int8", rng.integers(-127, 128, (width_out, width_in)), scale=(0.02,), zero_point=(0,))
        bias = constant("int32", rng.integers(-2000, 2000, width_out), scale=(0.001,), zero_point=(0,))
        target = activation(width_out)
        builder.operator("FULLY_CONNECTED", [source, weights, bias], [target], builtin=schema.FullyConnectedOptionsT())
        return target

    results = [connected(part, half, RESULT) for part in halves]
    joined = activation(BRANCHES * RESULT)
    options = schema.ConcatenationOptionsT()
    options.axis = 1
    builder.operator("CONCATENATION", results, [joined], builtin=options)
    quarter = activation(WIDTH // 4)
    builder.operator("SLICE", [joined, constant("int32", [0, RESULT]), constant("int32", [1, WIDTH // 4])], [quarter],
                     builtin=schema.SliceOptionsT())
    twice = activation(WIDTH // 4)
    builder.operator("ADD", [quarter, quarter], [twice], builtin=schema.AddOptionsT())
    # The peak is here, so that parts in place raise none.
    output = connected(twice, WIDTH // 4, WIDE)
    offsets = [SPACING * scratch.index(i) if i in scratch else -1 for i in range(len(builder.tensors))]
    metadata = {"OfflineMemoryAllocation": offline(offsets)} if offline else None
    return builder.build([source], [joined, output], metadata)


def entry(offsets) -> bytes:
    return struct.pack(f"<3i{len(offsets)}i", 1, 0, len(offsets), *offsets)


class Checks:
    def __init__(self):
        self.failures, self.tried = [], 0

    def __call__(self, what: str, holds: bool) -> None:
        self.tried += 1
        if not holds:
            self.failures.append(what)


def run_host(path: Path, source: Path, folder: Path, *arguments) -> dict[str, bytes]:
    """Outputs and every operator's output, by file name."""
    ingot("run", path, "--input", f"0={source}", "--output-dir", folder, "--layers", folder / "layers", *arguments)
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*.bin"))}


def plan(path: Path, folder: Path, *arguments) -> tuple[dict, str]:
    """The module's plan and what was said."""
    done = ingot("convert", path, "-o", folder, *arguments)
    return json.loads((folder / "aot_module" / "aot_plan.json").read_text()), done.stderr


def places(report: dict) -> dict[str, int]:
    return {tensor["id"]: tensor["placement"]["offset"] for tensor in report["tensors"]
            if tensor["role"] == "scratch"}


def check_offsets(check: Checks, work: Path, plain: Path) -> None:
    """Offsets of the model's metadata and of a rule; metadata that is no good."""
    honoured = work / "offline.tflite"
    honoured.write_bytes(model(entry))
    report, said = plan(honoured, work / "honoured", "--memory.honor-offline-plan")
    wanted = [SPACING * i for i in range(len(places(report)))]
    check(f"the model's offsets became {sorted(places(report).values())}: {said}", sorted(places(report).values()) == wanted)
    free, _ = plan(plain, work / "free")
    for name, bad in {"truncated": lambda offsets: entry(offsets)[:-4], "version": lambda o: b"\2" + entry(o)[1:],
                      "overlap": lambda o: entry([0 if offset >= 0 else -1 for offset in o])}.items():
        broken = work / f"{name}.tflite"
        broken.write_bytes(model(bad))
        report, said = plan(broken, work / name, "--memory.honor-offline-plan")
        check(f"{name}: no warning: {said}", "OfflineMemoryAllocation" in said)
        check(f"{name}: the offsets were taken", places(report) == places(free))
    report, _ = plan(plain, work / "pinned", "--memory.tensors=[{id: ['0'], attributes: {offset: 4096}}]")
    check("the pinned input is elsewhere", places(report)["0"] == 4096)


def main() -> None:
    work, check = work_folder("parts"), Checks()
    path = work / "parts.tflite"
    path.write_bytes(model())
    rng = np.random.default_rng(3)
    inputs = [rng.integers(-128, 128, WIDTH).astype(np.int8).tobytes() for _ in range(INVOCATIONS)]
    source = work / "in.bin"
    source.write_bytes(b"".join(inputs))
    apart = run_host(path, source, work / "apart", "--memory.planner=greedy")
    check("the host gives other bytes with parts in place", run_host(path, source, work / "together") == apart)

    report, _ = plan(path, work / "plan")
    views = [tensor for tensor in report["tensors"] if tensor["view_of"]]
    check(f"{len(views)} views", len(views) >= 2 * BRANCHES + 1)
    check("no view begins within its root", any(tensor["view_offset"] for tensor in views))

    sizes = [BRANCHES * RESULT, WIDE]
    outputs = [[apart[f"output_{k}.bin"][i * size:(i + 1) * size] for k, size in enumerate(sizes)]
               for i in range(INVOCATIONS)]
    vectors = [Vector([[data] for data in inputs], outputs)]
    modules = [convert(Case("parts", path, vectors), "parts", work / "modules")]
    check_offsets(check, work, path)
    wrong, count = run_program(build(modules, Toolchain("gcc", "c99", ["-O1", *SANITIZERS]), work / "program"), modules)
    finish("parts", check.failures + wrong, check.tried + count)


if __name__ == "__main__":
    main()
