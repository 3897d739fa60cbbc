#!/usr/bin/env python3
"""Custom operators: the functions are called with what the model says, in C and C++, and what they return
is what the module returns; models with operators that nobody declares are refused; the example works.

What the application writes down is computed here a second time, from the model alone."""

import os
import sys
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from graphs import ABSENT, GraphBuilder  # noqa: E402
from modules import SANITIZERS, Toolchain  # noqa: E402
from project import ROOT, TestFailure, finish, ingot, program, run, work_folder  # noqa: E402

EXAMPLE = ROOT / "examples" / "custom-operator"
# The order of the enumeration in the module's header.
TYPES = ["none", "bool", "int4", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
         "float16", "float32", "float64", "complex64", "complex128"]
RUNS = 3
DECLARED = '[{name: "any::thing"}, {name: 3_run, outputs: 0}, {name: class, outputs: [{type: int8, shape: [1, 4]}]}]'
TOOLCHAINS = [Toolchain("gcc", "c99", ["-O1", *SANITIZERS]), Toolchain("clang", "c11", ["-O1", *SANITIZERS]),
              Toolchain("gcc", "c++17", ["-O1", *SANITIZERS])]


@dataclass
class Operand:
    """A tensor of the model as the application is to see it; `value` is what it holds, as bytes."""
    dtype: str
    shape: tuple
    scale: tuple = ()
    zero_point: tuple = ()
    axis: int = 0
    value: bytes | None = None

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64)) * np.dtype(self.dtype).itemsize

    def line(self, kind: str) -> str:
        scales = "".join(f" {s:g}/{z}" for s, z in zip(self.scale, self.zero_point, strict=True))
        data = ""
        if kind == "input":
            data = " data" + (" null" if self.size == 0 else "") + "".join(f" {b}" for b in self.value)
        return (f" {kind} type {TYPES.index(self.dtype)} size {self.size} shape "
                f"{list(self.shape)} axis {self.axis} scales{scales}{data}")


ABSENT_LINE = " input type 0 size 0 shape [] axis 0 scales data null"


class Model:
    """Six operators, four of them custom, two of these with one name; and what they compute."""

    def __init__(self):
        rng = np.random.default_rng(5)

        def constant(dtype, shape, **quantisation):
            data = rng.integers(0, 100, shape).astype(dtype)
            return Operand(dtype, tuple(shape), value=data.tobytes(), **quantisation)

        quantised = {"scale": (0.5,), "zero_point": (-3,)}
        self.signal = Operand("int8", (1, 2, 3), **quantised)
        self.extra = Operand("int32", (2,))
        self.weights = constant("int16", (3, 2), scale=(0.25, 0.125), zero_point=(0, 0), axis=1)
        self.floats = constant("float32", (2, 2))
        self.scalar = constant("int32", ())
        self.empty = Operand("int32", (0,), value=b"")
        self.state = Operand("int8", (4,), (1.0,), (7,))
        self.first, self.counts, self.real = (Operand("int8", (1, 2, 3), **quantised), Operand("int32", (2,)),
                                              Operand("float32", ()))
        self.positive = Operand("int8", (1, 2, 3), **quantised)
        self.wide = Operand("int16", (2, 2), (0.001,), (0,))
        self.unread = Operand("int8", (2,), **quantised)
        self.table = constant("int8", (4,), scale=(1.0,), zero_point=(0,))
        self.folded = Operand("int8", (1, 4), (2.0,), (1,))
        self.options = bytes(range(256))

    def file(self) -> bytes:
        builder = GraphBuilder()
        self.ids = {}

        def index(operand: Operand, variable=False) -> int:
            if id(operand) not in self.ids:
                data = None if operand.value is None else np.frombuffer(operand.value, operand.dtype)
                self.ids[id(operand)] = builder.tensor(
                    operand.dtype, operand.shape, scale=operand.scale, zero_point=operand.zero_point,
                    axis=operand.axis, data=data, variable=variable)
            return self.ids[id(operand)]

        state = index(self.state, variable=True)
        builder.operator("CUSTOM", [index(self.signal), index(self.weights), ABSENT, index(self.floats),
                                    index(self.scalar), index(self.empty), state],
                         [index(self.first), index(self.counts), index(self.real)],
                         custom="any::thing", options=self.options)
        builder.operator("RELU", [index(self.first)], [index(self.positive)])
        builder.operator("CUSTOM", [index(self.positive), index(self.counts), index(self.extra)],
                         [index(self.wide), index(self.unread)], custom="any::thing", options=b"\0")
        builder.operator("CUSTOM", [index(self.wide), index(self.unread)], [], custom="3_run")
        builder.operator("CUSTOM", [index(self.table)], [index(self.folded)], custom="class")
        return builder.build([index(self.signal), index(self.extra)],
                             [index(self.wide), index(self.real), index(self.folded)])

    def transcript(self, runs: list[tuple[bytes, bytes]]) -> str:
        """What the application prints for these inputs."""
        lines = []
        self.state.value = bytes([7] * 4)  # a variable begins at real zero

        def perform(name, number, options, inputs, outputs, stateful=False):
            lines.append(f"{name} operator {number} options" + "".join(f" {b}" for b in options))
            total = number
            for operand in inputs:
                lines.append(ABSENT_LINE if operand is None else operand.line("input"))
                if operand is not None:
                    total += sum(b * (i + 1) for i, b in enumerate(operand.value))
            if stateful:
                inputs[-1].value = bytes((b + 1) % 256 for b in inputs[-1].value)
            for k, operand in enumerate(outputs):
                lines.append(operand.line("output"))
                operand.value = bytes((total + 31 * i + 7 * k) % 256 for i in range(operand.size))

        for self.signal.value, self.extra.value in runs:
            perform("any::thing", 0, self.options, [self.signal, self.weights, None, self.floats, self.scalar,
                                                    self.empty, self.state],
                    [self.first, self.counts, self.real], stateful=True)
            # Same scale on both sides: RELU is the larger of the code and the zero point.
            codes = np.frombuffer(self.first.value, np.int8)
            self.positive.value = np.maximum(codes, -3).astype(np.int8).tobytes()
            perform("any::thing", 2, b"\0", [self.positive, self.counts, self.extra], [self.wide, self.unread])
            perform("3_run", 3, b"", [self.wide, self.unread], [])
            perform("class", 4, b"", [self.table], [self.folded])
            for operand in (self.wide, self.real, self.folded):
                lines.append("result" + "".join(f" {b}" for b in operand.value))
        return "\n".join([*lines, "status 0", ""])


def differences(got: str, expected: str) -> list[str]:
    if got == expected:
        return []
    pairs = zip_longest(got.splitlines(), expected.splitlines(), fillvalue="(end)")
    return [f"got '{a}', expected '{b}'" for a, b in pairs if a != b][:1] or ["line ends differ"]


def compile_program(toolchain: Toolchain, module: Path, out: Path, *defines) -> Path:
    source = Path(__file__).with_name("custom") / "application.c"
    run([*toolchain.command(), *defines, "-I", module / "includes-api", *sorted((module / "src").glob("*.c")),
         source, "-o", out, "-lm"])
    return out


def try_module(folder: Path, file: Path, model: Model, *keys) -> tuple[list[str], Path]:
    """Every operator is called with what the model says, under each toolchain."""
    ingot("convert", file, "-o", folder, "--module.name=net", "--module.prefix=net",
          f"--custom_operators={DECLARED}", *keys)
    rng = np.random.default_rng(1)
    inputs = [(rng.integers(-128, 128, 6).astype(np.int8).tobytes(),
               rng.integers(-9999, 9999, 2).astype(np.int32).tobytes()) for _ in range(RUNS)]
    data = folder / "inputs.bin"
    data.write_bytes(b"".join(a + b for a, b in inputs))
    failures = []
    for toolchain in TOOLCHAINS if not keys else TOOLCHAINS[:1]:
        binary = compile_program(toolchain, folder / "net", folder / "program")
        done = run([binary, data, RUNS])
        where = f"{' '.join(keys)} {toolchain.compiler} {toolchain.standard}"
        failures += [f"{where}: {text}" for text in differences(done.stdout, model.transcript(inputs))]
    return failures, data


def check_statuses(folder: Path, data: Path) -> list[str]:
    """What an operator returns is what the run returns; what is no status of its own is the last one."""
    failures = []
    for returned, expected in ((1000, 1000), (1999, 1999), (999, 1999), (2000, 1999), (1, 1999), (-1, 1999)):
        last = run([folder / "program", data, 1, returned]).stdout.splitlines()[-1]
        if last != f"status {expected}":
            failures.append(f"an operator that returns {returned}: {last}")
    binary = compile_program(TOOLCHAINS[0], folder / "net", folder / "missing", "-DMISSING", "-include", "stdio.h",
                             "-DNET_PRINTF(...)=printf(__VA_ARGS__)")
    lines = run([binary, data, 1]).stdout.splitlines()
    if lines[-2:] != ["operator 4: net_custom_class() is missing", "status 1000"]:
        failures.append(f"a missing operator: {lines[-2:]}")
    return failures


def check_refusals(folder: Path, file: Path) -> list[str]:
    convert = ["convert", file, "--dry-run", "-o", folder / "none"]
    one_name = GraphBuilder()
    ids = [one_name.tensor("int8", [4], scale=[1.0], zero_point=[0]) for _ in range(3)]
    one_name.operator("CUSTOM", ids[:1], ids[1:2], custom="a-b")
    one_name.operator("CUSTOM", ids[1:2], ids[2:], custom="a_b")
    collision = folder / "collision.tflite"
    collision.write_bytes(one_name.build(ids[:1], ids[2:]))
    cases = [
        ("undeclared", convert, 3, ['custom_operators: [{name: "any::thing"}]', "custom_operators: [{name: 3_run}]",
                                    "custom operator class is not declared"]),
        ("run", ["run", file, f"--custom_operators={DECLARED}"], 3, ["can't be executed on the host"]),
        ("self-test", [*convert, f"--custom_operators={DECLARED}", "--test.enabled"], 2, ["test.golden_data"]),
        ("number of outputs", [*convert, "--custom_operators=[{name: class, outputs: 2}]"], 2, ["has 1"]),
        ("type of an output", [*convert, "--custom_operators=[{name: class, outputs: int32}]"], 2, ["is int8"]),
        ("shape of an output", [*convert, "--custom_operators=[{name: class, outputs: [{shape: [4]}]}]"], 2,
         ["has [1, 4]"]),
        ("unknown type", [*convert, "--custom_operators=[{name: class, outputs: [int9]}]"], 2, ["did you mean 'int8'"]),
        ("unused", [*convert, f"--custom_operators={DECLARED[:-1]}, {{name: Class}}]"], 0,
         ["no custom operator 'Class'", "did you mean 'class'"]),
        ("one function for two", ["convert", collision, "--dry-run", "-o", folder / "none",
                                  "--custom_operators=[{name: a-b}, {name: a_b}]"], 2, ["_custom_a_b"]),
        ("inspect", ["inspect", file], 0, ["CUSTOM class", "is not declared"]),
    ]
    failures = []
    for name, command, status, texts in cases:
        done = ingot(*command, expect=None)
        output = done.stdout + done.stderr
        if done.returncode != status:
            failures.append(f"{name}: status {done.returncode}, expected {status}: {output[-500:]}")
        failures += [f"{name}: '{text}' is not in '{output[-900:]}'" for text in texts if text not in output]
    return failures


def check_self_test(folder: Path, file: Path, model: Model) -> list[str]:
    """With recorded vectors the self-test works: the expected outputs come from the model's description."""
    rng = np.random.default_rng(2)
    signal = rng.integers(-128, 128, (RUNS, 1, 2, 3)).astype(np.int8)
    extra = rng.integers(-9999, 9999, (RUNS, 2)).astype(np.int32)
    text = model.transcript([(signal[k].tobytes(), extra[k].tobytes()) for k in range(RUNS)])
    results = [bytes(int(word) for word in line.split()[1:]) for line in text.splitlines() if line.startswith("result")]
    outputs = {f"output_{k}": np.frombuffer(b"".join(results[k::3]), operand.dtype).reshape(RUNS, *operand.shape)
               for k, operand in enumerate((model.wide, model.real, model.folded))}
    np.savez(folder / "golden.npz", input_0=signal, input_1=extra, **outputs)
    ingot("convert", file, "-o", folder, "--module.name=tested", "--module.prefix=net",
          f"--custom_operators={DECLARED}", "--test.enabled", f"--test.golden_data={folder / 'golden.npz'}")
    main = folder / "main.c"
    main.write_text('#include "net_test_case.h"\n#define main unused\nint main(void);\n#undef main\n'
                    "int main(void) { return net_test_case_init() != 0 || net_test_case_run() != 0; }\n")
    application = folder / "operators.c"
    application.write_text((Path(__file__).with_name("custom") / "application.c").read_text()
                           .split("static net_model_context_t context;")[0])
    run(["gcc", "-I", folder / "tested" / "includes-api", *sorted((folder / "tested" / "src").glob("*.c")),
         main, application, "-o", folder / "self-test", "-lm"])
    done = run([folder / "self-test"], expect=None)
    return [] if done.returncode == 0 else ["the self-test with recorded vectors fails"]


def check_example(folder: Path) -> list[str]:
    """The example prints the moving averages of its signals, computed here with fractions."""
    script = run([EXAMPLE / "make_model.py", folder / "made.tflite"],
                 env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"})
    if script.stdout or (folder / "made.tflite").read_bytes() != (EXAMPLE / "moving_average.tflite").read_bytes():
        return ["make_model.py does not write moving_average.tflite"]
    done = run([EXAMPLE / "run.sh"], env={**os.environ, "INGOT": str(program()), "OUT": str(folder / "example")})
    expected = []
    for k in range(3):
        signal = [(i * (37 + 50 * k) + 11 * k) % 256 - 128 for i in range(12)]
        padded = [signal[0], *signal, signal[-1]]
        smooth = [int(np.floor(np.float64(sum(padded[i:i + 3])) / 3 + 0.5)) for i in range(12)]
        expected.append(" ".join(str(max(value, -20)) for value in smooth))
    failures = differences("\n".join(done.stdout.splitlines()[:3]), "\n".join(expected))
    if "aot_custom_acme_MovingAverage() is missing" not in done.stdout:
        failures.append("nothing is said of the missing operator")
    return [f"example: {text}" for text in failures]


def main():
    folder = work_folder("custom_operators")
    model = Model()
    file = folder / "model.tflite"
    file.write_bytes(model.file())
    failures, data = try_module(folder / "plain", file, model)
    checks = [lambda: check_statuses(folder / "plain", data),
              lambda: try_module(folder / "static", file, model, "--module.schedule=static")[0],
              lambda: try_module(folder / "untransformed", file, model, "--transforms=[{name: '*', enabled: false}]",
                                 "--memory.planner=greedy")[0],
              lambda: check_refusals(folder, file), lambda: check_self_test(folder, file, model),
              lambda: check_example(folder)]
    for check in checks:
        try:
            failures += check()
        except TestFailure as failure:
            failures.append(str(failure))
    finish("custom operators", failures, len(checks) + len(TOOLCHAINS))


if __name__ == "__main__":
    main()
