#!/usr/bin/env python3
"""The self-test of a module: recorded vectors and the host's, several invocations, tolerances, what it
prints and returns; and it finds a single wrong bit in each of the constants."""

import json
import re
import struct
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS, golden_case  # noqa: E402
from graphs import GraphBuilder  # noqa: E402
from project import TestFailure, finish, ingot, run, settings, work_folder  # noqa: E402

DEMO = OWN_MODELS / "demo.tflite"
INVOCATIONS = 4
NOT_INITIALISED = "early 14"


def build(folder: Path, model: Path, *defines, flags=("-O1",), **keys) -> Path:
    """A program around the self-test of a fresh module in `folder`."""
    ingot("convert", model, "-o", folder, *settings({"test.enabled": True, "memory.dump_residency_json": True, **keys}))
    return link(folder, *defines, flags=flags)


def link(folder: Path, *defines, flags=("-O1",)) -> Path:
    module = folder / "aot_module"
    run(["gcc", *flags, *defines, "-include", "stdio.h", "-DAOT_PRINTF(...)=printf(__VA_ARGS__)", "-I",
         module / "includes-api", *sorted((module / "src").glob("*.c")),
         Path(__file__).with_name("self_test") / "main.c", "-lm", "-o", folder / "program"])
    return folder / "program"


def expect(what: str, done, *lines: str) -> list[str]:
    """The program's lines; init and run are repeated, and both times the same."""
    wanted = [*lines, *lines[lines.index("init 0"):]] if "init 0" in lines else list(lines)
    got = done.stdout.splitlines()
    return [] if got == wanted else [f"{what}: {got}, expected {wanted}"]


def vectors(case) -> dict:
    """The recorded invocations of the demo model as arrays."""
    vector = next(v for v in case.vectors if len(v.inputs) >= INVOCATIONS)
    arrays = [np.frombuffer(b"".join(tensors[k][0] for k in range(INVOCATIONS)), np.int8)
              for tensors in (vector.inputs, vector.outputs)]
    return {"input_0": arrays[0].reshape(INVOCATIONS, 1, 16, 16, 3), "output_0": arrays[1].reshape(INVOCATIONS, 1, 10)}


def check_recorded(folder: Path) -> list[str]:
    """Recorded vectors, right and wrong, with and without tolerance."""
    arrays = vectors(golden_case(DEMO, OWN_MODELS / "golden" / "demo"))
    failures = []

    def attempt(name: str, changes: dict, *lines, **keys):
        changed = {key: value.copy() for key, value in arrays.items()}
        for (invocation, element), step in changes.items():
            value = int(changed["output_0"][invocation, 0, element])
            changed["output_0"][invocation, 0, element] = value + step if value < 0 else value - step
        here = folder / name
        here.mkdir()
        np.savez(here / "golden.npz", **changed)
        program = build(here, DEMO, **{"test.golden_data": here / "golden.npz", **keys})
        expected = changed["output_0"]
        shown = [line.format(got=arrays["output_0"], want=expected) for line in lines]
        failures.extend(expect(name, run([program]), NOT_INITIALISED_TEXT, NOT_INITIALISED, "init 0", *shown))

    attempt("right", {}, "run 0")
    attempt("one wrong", {(2, 7): 1},
            "invocation 2, output 0, element 7: {got[2][0][7]}, expected {want[2][0][7]}", "run 1")
    attempt("four wrong", {(1, 3): 3, (1, 4): 1, (3, 0): 1, (3, 9): 5},
            "invocation 1, output 0, element 3: {got[1][0][3]}, expected {want[1][0][3]}", "run 4")
    attempt("within tolerance", {(1, 3): 2, (2, 2): 1, (3, 0): 3},
            "invocation 3, output 0, element 0: {got[3][0][0]}, expected {want[3][0][0]}", "run 1",
            **{"test.tolerance": 2})
    return failures


# What the self-test prints when it is run before its init.
NOT_INITIALISED_TEXT = "invocation 0: status 14"


def float_model() -> bytes:
    builder = GraphBuilder()
    codes = builder.tensor("int8", [8], scale=[0.25], zero_point=[0])
    real = builder.tensor("float32", [8])
    builder.operator("DEQUANTIZE", [codes], [real])
    return builder.build([codes], [real])


def check_floats(folder: Path) -> list[str]:
    """1e-5 of the value, or what test.tolerance says."""
    folder.mkdir()
    model = folder / "float.tflite"
    model.write_bytes(float_model())
    codes = np.array([-128, -4, 0, 1, 4, 40, 100, 127], np.int8)
    exact = (codes * 0.25).astype(np.float32)
    failures = []
    for name, factor, wrong, keys in (("close", 1 + 8e-6, 0, {}), ("far", 1 + 2e-5, 7, {}),
                                      ("wide", 1.009, 0, {"test.tolerance": 0.01}),
                                      ("narrow", 1.02, 7, {"test.tolerance": 0.01}),
                                      ("infinite", np.inf, 8, {"test.tolerance": 1000})):
        here = folder / name
        here.mkdir()
        with np.errstate(invalid="ignore"):
            np.savez(here / "golden.npz", input_0=codes, output_0=(exact * np.float32(factor)).astype(np.float32))
        program = build(here, model, **{"test.golden_data": here / "golden.npz", **keys})
        lines = run([program]).stdout.splitlines()
        if lines[-1] != f"run {wrong}" or (wrong > 0) != ("bits" in lines[-2]):
            failures.append(f"floats, {name}: {lines}")
        if name == "far":
            bits = [struct.unpack("<I", struct.pack("<f", v))[0] for v in (exact[0], exact[0] * np.float32(factor))]
            if lines[-2] != f"invocation 0, output 0, element 0: bits {bits[0]:08x}, expected {bits[1]:08x}":
                failures.append(f"floats: the first difference is {lines[-2]}")
    return failures


def flips(residency: dict) -> list[tuple[str, int, int]]:
    """For each constant a byte in its middle and a bit that matters: (id, offset, bit)."""
    found = []
    for tensor in residency["tensors"]:
        if tensor["role"] != "constant":
            continue
        middle = tensor["size"] // 8 * 4
        # The highest bit of a code; of an int32 sum one that is above any rounding, of a multiplier its
        # highest, of a shift one that changes the sum by a factor of 16.
        byte, bit = {"weight_sum": (1, 7), "multiplier": (3, 6), "shift": (0, 2)}.get(
            "_".join(tensor["id"].split("_")[3:]) if tensor["id"].startswith("conv_2d") else
            tensor["id"].partition("5_")[2], (0, 7))
        found.append((tensor["id"], tensor["offset"] + middle + byte, bit))
    return found


def check_flips(folder: Path) -> list[str]:
    """Every constant, with one bit wrong: in the sidecar of external arenas, and one in the source."""
    program = build(folder, DEMO, "-DEXTERNAL", **{"memory.allocate_arenas": False})
    module = folder / "aot_module"
    sidecar = module / "aot_arena_const_dtcm__blob.bin"
    right = [NOT_INITIALISED_TEXT, NOT_INITIALISED, "init 0", "run 0"]
    failures = expect("no bit wrong", run([program, sidecar]), "unbound 10", *right)
    tried = flips(json.loads((module / "aot_residency.json").read_text()))
    for name, offset, bit in tried:
        lines = run([program, sidecar, offset, bit]).stdout.splitlines()
        run_lines = lines[lines.index("init 0", lines.index("init 0") + 1):]
        if not re.fullmatch(r"run [1-9]\d*", lines[-1]) or not run_lines[1].startswith("constants in arena 2: CRC-32 ") \
                or not run_lines[2].startswith("invocation "):
            failures.append(f"bit {bit} of byte {offset}, in {name}, is not found: {run_lines}")
    failures += check_hidden_flips(program, sidecar)
    if len(tried) < 10:
        failures.append(f"only {len(tried)} constants were tried")

    source = folder / "source"
    program = build(source, DEMO)
    failures += expect("constants in the source", run([program]), *right)
    constants = source / "aot_module" / "src" / "aot_constants.c"
    text = constants.read_text()
    first = re.search(r"\] = \{\n    (-?\d+),", text)
    flipped = str(int(np.int8(np.uint8(int(first[1]) & 0xff) ^ np.uint8(0x80)).item()))
    constants.write_text(text[:first.start(1)] + flipped + text[first.end(1):])
    lines = run([link(source)]).stdout.splitlines()
    if lines[-1] == "run 0":
        failures.append("a wrong bit in the source of the constants is not found")
    return failures


def check_hidden_flips(program: Path, sidecar: Path) -> list[str]:
    """Bits anywhere in the constants, also where no output of the stored invocations shows them."""
    random = np.random.default_rng(20)
    failures, hidden = [], 0
    for offset, bit in zip(random.integers(0, sidecar.stat().st_size, 60), random.integers(0, 8, 60), strict=True):
        lines = run([program, sidecar, int(offset), int(bit)]).stdout.splitlines()
        hidden += lines[-1] == "run 1" and lines[-2].startswith("constants in arena 2: ")
        if lines[-1] == "run 0":
            failures.append(f"bit {bit} of byte {offset} is not found")
    return failures if hidden else [*failures, "each of the bits shows in an output: the checksum is not tried"]


def check_refusals(folder: Path) -> list[str]:
    """Vectors that are not the model's are the configuration's mistake."""
    folder.mkdir()
    arrays = vectors(golden_case(DEMO, OWN_MODELS / "golden" / "demo"))
    failures = []
    for name, changed in (("size", {**arrays, "output_0": arrays["output_0"][:, :, :9]}),
                          ("type", {**arrays, "input_0": arrays["input_0"].astype(np.int16)}),
                          ("missing", {"input_0": arrays["input_0"]}),
                          ("number", {**arrays, "output_0": arrays["output_0"][:2]})):
        np.savez(folder / "golden.npz", **changed)
        done = ingot("convert", DEMO, "-o", folder, "--test.enabled", f"--test.golden_data={folder / 'golden.npz'}",
                     expect=None)
        if done.returncode != 2 or (folder / "aot_module").exists():
            failures.append(f"vectors of the wrong {name}: status {done.returncode}: {done.stderr}")
    return failures


def main():
    folder = work_folder("self_test")
    checks = {"recorded": check_recorded, "floats": check_floats, "flips": check_flips, "refusals": check_refusals}
    failures = []
    for name, check in checks.items():
        here = folder / name
        if name in ("recorded", "flips"):
            here.mkdir()
        try:
            failures += check(here)
        except TestFailure as failure:
            failures.append(f"{name}: {failure}")
    finish("self-test", failures, len(checks))


if __name__ == "__main__":
    main()
