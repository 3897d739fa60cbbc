"""Modules on Cortex-M cores under QEMU, through `ingot verify`."""

import json
from pathlib import Path

import numpy as np

from cases import Case, Vector
from project import ingot, settings

CORES = ["cortex-m0", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55"]


def tensors_of(model: Path) -> tuple[list[dict], list[dict]]:
    """The model's inputs and outputs: {"shape": …, "type": …}."""
    found = json.loads(ingot("inspect", model, "--json").stdout)
    tensors = {tensor["id"]: tensor for tensor in found["tensors"]}
    return ([tensors[k] for k in found["inputs"]], [tensors[k] for k in found["outputs"]])


def write_npz(case: Case, vector: Vector, path: Path) -> Path:
    """The vector as `--vectors` takes it, invocations as leading axis."""
    arrays = {}
    for kind, tensors, invocations in zip(("input", "output"), tensors_of(case.model),
                                          (vector.inputs, vector.outputs), strict=True):
        for k, tensor in enumerate(tensors):
            data = b"".join(invocation[k] for invocation in invocations)
            shape = (len(invocations), *tensor["shape"])
            arrays[f"{kind}_{k}"] = np.frombuffer(data, np.dtype(tensor["type"].lower())).reshape(shape)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **arrays)
    return path


def verify(model: Path, vectors: list[Path], *arguments, expect=0, keys: dict | None = None,
           **options) -> dict:
    """`ingot verify`; its JSON. `options` are those of a subprocess."""
    words = [word for path in vectors for word in ("--vectors", path)]
    done = ingot("verify", model, *words, "--json", *settings(keys or {}), *arguments, expect=expect,
                 timeout=600, **options)
    return json.loads(done.stdout)


def measurement_failures(result: dict, invocations: int) -> list[str]:
    """What is wrong with the figures of a core: some must be there, and be of a sensible size."""
    measured, wrong = result["measured"], []
    runs = measured["instructions"]["run"]
    if len(runs) != invocations:
        wrong.append(f"{len(runs)} counts of instructions for {invocations} invocations")
    if runs and (min(runs) < 10 or max(runs) > 2 * min(runs)):
        wrong.append(f"instructions an inference from {min(runs)} to {max(runs)}")
    if measured["sizes"]["text"] < 100:
        wrong.append(f"code of {measured['sizes']['text']} bytes")
    if not 8 <= measured["peak_stack"]["run"] <= 4096:
        wrong.append(f"a peak stack of {measured['peak_stack']['run']} bytes")
    return wrong


def arena_bytes(result: dict) -> int:
    """Bytes of all arenas in RAM that hold activations, scratch and state."""
    return sum(arena["used"] for arena in result["arenas"] if arena["role"] != "constant")
