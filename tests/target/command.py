#!/usr/bin/env python3
"""`ingot verify` as a command: what it says and ends with when results are wrong, tools are missing, or it is
stopped; and its references."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OPERATOR_SUITE, OWN_MODELS, find_case  # noqa: E402
from graphs import GraphBuilder  # noqa: E402
from project import program, work_folder  # noqa: E402
from targets import write_npz  # noqa: E402

MODEL = OWN_MODELS / "demo.tflite"
SMALL_MODEL = sorted(OPERATOR_SUITE.glob("RELU/*.tflite"))[0]
HOST_TOOLS = ["gcc", "cc", "as", "ld", "clang"]  # what a compiler for the host is made of
CORE_FLAGS = ["-std=c99", "-O2", "-ffunction-sections", "-fdata-sections"]
CUSTOM_SOURCE = """#include "aot_model.h"
int32_t aot_custom_twice(aot_model_context_t *ctx, const aot_operator_call_t *call)
{
    size_t i;
    const int8_t *in = (const int8_t *)call->inputs[0].data;
    int8_t *out = (int8_t *)call->outputs[0].data;
    (void)ctx;
    for (i = 0; i < call->inputs[0].size; i++) { out[i] = (int8_t)(2 * in[i]); }
    return aot_status_ok;
}
"""
FOLDER = work_folder("target/command")
STAGED = "--memory.tensors=[{type: constant, attributes: {memory: MRAM, constant_destination_memory: DTCM}}]"


def heed_interruptions() -> None:
    """A shell starts programs in the background with SIGINT ignored, and they inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Verify(unittest.TestCase):
    def setUp(self):
        self.folder = FOLDER / self.id().split(".")[-1]
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir(parents=True)

    def environment(self, **changes) -> dict:
        return {**os.environ, "TMPDIR": str(self.temporary), **changes}

    def verify(self, *words, expect: int, model=MODEL, **changes) -> subprocess.CompletedProcess:
        done = subprocess.run([program(), "verify", model, *map(str, words)], capture_output=True, text=True,
                              env=self.environment(**changes), cwd=self.folder, timeout=300,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        self.assertEqual(list(self.temporary.iterdir()), [])
        return done

    def failure(self, done: subprocess.CompletedProcess) -> dict:
        """The one error of a JSON result, which is whole whatever went wrong."""
        result = json.loads(done.stdout)
        self.assertEqual((result["schema_version"], result["status"]), (1, done.returncode))
        errors = [found for found in result["diagnostics"] if found["severity"] == "error"]
        self.assertEqual(len(errors), 1, errors)
        return errors[0]

    def path_with(self, *names: str) -> str:
        """A PATH with these tools and no other."""
        folder = self.folder / "bin"
        folder.mkdir()
        for name in names:
            (folder / name).symlink_to(shutil.which(name))
        return str(folder)

    def source(self, text: str) -> Path:
        path = self.folder / "application.c"
        path.write_text(text)
        return path

    def vectors(self, change=None) -> Path:
        case = find_case(MODEL.name)
        path = write_npz(case, case.vectors[0], self.folder / "vectors.npz")
        if change:
            arrays = dict(np.load(path))
            change(arrays)
            np.savez(path, **arrays)
        return path

    # --- results ---

    def test_equal_on_the_host(self):
        self.assertRegex(self.verify(expect=0).stdout, r'output 0 "softmax_7": equal, 30 values')

    def test_a_wrong_vector(self):
        def change(arrays):
            arrays["output_0"][0, 0, 3] += 5
        vectors = self.vectors(change)
        right = find_case(MODEL.name).vectors[0].outputs[0][0][3]
        right -= 256 if right > 127 else 0
        for place in ("host", "cortex-m4"):
            done = self.verify("--vectors", vectors, "--on", place, expect=1)
            self.assertIn(f"invocation 0, element 3: expected {right + 5}, got {right}", done.stdout)
            self.assertIn("1 of ", done.stdout)
        done = self.verify("--vectors", vectors, "--json", expect=1)
        output = json.loads(done.stdout)["outputs"][0]
        self.assertEqual((output["equal"], output["wrong"], output["first_difference"]["element"]), (False, 1, 3))
        self.verify("--vectors", vectors, "--test.tolerance", "5", expect=0)
        self.verify("--vectors", vectors, "--test.tolerance", "4", expect=1)

    def test_the_second_file_begins_afresh(self):
        right = self.vectors()
        wrong = self.folder / "wrong.npz"
        arrays = dict(np.load(right))
        arrays["output_0"][0, 0, 0] ^= 1
        np.savez(wrong, **arrays)
        done = self.verify("--vectors", right, "--vectors", wrong, expect=1)
        self.assertIn("the first in sequence 1, invocation 0, element 0", done.stdout)

    def test_golden_data_of_the_configuration(self):
        def change(arrays):
            arrays["output_0"][0, 0, 0] ^= 1
        self.verify("--test.golden_data", self.vectors(change), expect=1)

    def test_a_core(self):
        done = self.verify("--on", "M4", "--json", expect=0)
        result = json.loads(done.stdout)
        self.assertEqual(result["flags"], [*CORE_FLAGS, "-mthumb", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16",
                                           "-mfloat-abi=hard"])
        self.assertIn("--specs=nano.specs", result["link_flags"])
        measured = result["measured"]
        self.assertEqual(measured["machine"], "mps2-an386")
        self.assertEqual(len(measured["instructions"]["run"]), 3)
        again = json.loads(self.verify("--on", "cortex-m4", "--json", expect=0).stdout)["measured"]
        self.assertEqual(again, measured)

    def test_flags(self):
        def flags(*words) -> str:
            return self.verify(*words, expect=0, model=SMALL_MODEL).stdout.splitlines()[0].split(", ", 1)[1]
        self.assertEqual(flags(), " ".join(CORE_FLAGS))
        self.assertEqual(flags("--cflags", "-O0 -DX=1"), " ".join([*CORE_FLAGS, "-O0", "-DX=1"]))
        sanitized = flags("--sanitize").split()
        self.assertIn("-O1", sanitized)
        self.assertNotIn("-O2", sanitized)
        self.assertIn("-fsanitize=address,undefined", sanitized)

    def test_the_platform_of_the_configuration(self):
        done = self.verify("--on", "m4", "--platform.name", "nrf52840dk", expect=0)
        self.assertNotIn("note", done.stderr)
        done = self.verify("--on", "m3", "--platform.name", "mps3_an547", expect=0)
        self.assertIn("made for a cortex-m55 and runs on a cortex-m3", done.stderr)

    # --- the command line ---

    def test_cores_without_a_machine(self):
        for core in ("m85", "cortex-m23", "Cortex-M0+"):
            done = self.verify("--on", core, expect=2)
            self.assertIn("QEMU has no machine", done.stderr)
            self.assertIn("hint: a module for it runs on", done.stderr)
        self.assertIn("did you mean 'cortex-m4'", self.verify("--on", "cortex-m44", expect=2).stderr)

    def test_wrong_words(self):
        self.verify("--sanitize", "--on", "m4", expect=2)
        self.verify("--reference", "tflm", expect=2)
        self.verify("--reference", "litert", "--vectors", self.vectors(), expect=2)
        self.verify("--vectors", self.folder / "nothing.npz", expect=5)

    def test_vectors_of_a_wrong_shape(self):
        def change(arrays):
            arrays["input_0"] = arrays["input_0"][..., :1]
        self.assertIn("input_0", self.verify("--vectors", self.vectors(change), expect=2).stderr)

    # --- tools ---

    def test_missing_tools(self):
        path = self.path_with(*HOST_TOOLS)
        done = self.verify("--on", "m4", expect=6, PATH=path)
        self.assertIn("arm-none-eabi-gcc: is not installed", done.stderr)
        self.assertIn("gcc-arm-none-eabi libnewlib-arm-none-eabi", done.stderr)
        (self.folder / "bin" / "arm-none-eabi-gcc").symlink_to(shutil.which("arm-none-eabi-gcc"))
        done = self.verify("--on", "m4", "--json", expect=6, PATH=path)
        self.assertIn("apt-get install qemu-system-arm", done.stderr)
        self.assertEqual(json.loads(done.stdout)["status"], 6)
        done = self.verify(expect=6, PATH=str(self.folder))
        self.assertIn("apt-get install gcc", done.stderr)
        done = self.verify("--reference", "litert", expect=6, PATH=path)
        self.assertIn("apt-get install python3", done.stderr)

    def test_without_a_compiler_for_the_host(self):
        path = self.path_with("arm-none-eabi-gcc", "qemu-system-arm")
        done = self.verify("--on", "m4", expect=0, PATH=path)
        self.assertIn("instructions  not counted", done.stdout)
        self.assertIn("note: cc: instructions are not counted", done.stderr)
        self.assertIn("apt-get install gcc", done.stderr)

    def test_a_tool_that_fails(self):
        done = self.verify("--compiler", "false", expect=6)
        self.assertIn("false: the generated C does not compile", done.stderr)
        qemu = self.folder / "bin" / "qemu-system-arm"
        path = self.path_with(*HOST_TOOLS, "arm-none-eabi-gcc", "sh")
        qemu.write_text("#!/bin/sh\necho no such machine >&2\nexit 1\n")
        qemu.chmod(0o755)
        done = self.verify("--on", "m4", expect=6, PATH=path)
        self.assertIn("cannot run the program", done.stderr)
        self.assertIn("no such machine", done.stderr)

    def test_c_that_does_not_compile(self):
        done = self.verify("--source", self.source("int x = y;\n"), expect=6)
        self.assertIn("application.c does not compile", done.stderr)
        self.assertNotIn("generated", done.stderr)
        self.assertIn("application.c:1:", done.stderr)
        self.assertIn("'y' undeclared", done.stderr.replace("‘", "'").replace("’", "'"))

    def test_sources_that_cannot_be_read(self):
        for source in (self.folder / "nothing.c", self.folder):
            done = self.verify("--source", source, "--json", expect=5, model=SMALL_MODEL)
            self.assertIn(str(source), self.failure(done)["where"])

    def test_sources_of_one_name(self):
        first = self.source("int application_1 = 1;\n")
        second = self.folder / "other" / first.name
        second.parent.mkdir()
        second.write_text("extern int application_1;\n"
                          "__attribute__((constructor)) static void f(void) { application_1 = 2; }\n")
        self.verify("--source", first, "--source", second, expect=0, model=SMALL_MODEL)

    def test_a_program_that_does_not_end(self):
        source = self.source('#include "aot_model.h"\n'
                             "unsigned sleep(unsigned);\n"
                             "int32_t aot_hydrate_constants(aot_model_context_t *ctx)\n"
                             "#ifdef __arm__\n"
                             '{ (void)ctx; for (;;) { __asm__ volatile("wfi"); } }\n'
                             "#else\n"
                             "{ (void)ctx; for (;;) { sleep(1); } }\n"
                             "#endif\n")
        for place in ("host", "m4"):
            done = self.verify(STAGED, "--source", source, "--on", place, "--timeout", "10", "--json", expect=1)
            failure = self.failure(done)
            self.assertEqual(failure["message"], "the program did not end within 10 s")
            self.assertEqual(failure["hint"], "--timeout gives it more")
            self.assertFalse(json.loads(done.stdout)["equal"])

    def test_a_compiler_that_does_not_end(self):
        compiler = self.folder / "compiler"
        compiler.write_text('#!/bin/sh\n[ "$1" = --version ] && exit\ntouch $TMPDIR/left\nsleep 600\n')
        compiler.chmod(0o755)
        done = self.verify("--compiler", compiler, "--timeout", "0.5", expect=6)
        self.assertIn("did not end within 0.5 s", done.stderr)

    # --- the application's own code ---

    def test_another_hydration(self):
        source = self.source('#include "aot_model.h"\n'
                             "int32_t aot_hydrate_constants(aot_model_context_t *ctx)\n"
                             "{ (void)ctx; return 77; }\n")
        for place in ("host", "m4"):
            done = self.verify(STAGED, "--source", source, "--on", place, expect=1)
            self.assertIn("init returned 77", done.stderr)

    def test_a_fault(self):
        source = self.source('#include "aot_model.h"\n'
                             "int32_t aot_hydrate_constants(aot_model_context_t *ctx)\n"
                             "{ (void)ctx; __builtin_trap(); }\n")
        done = self.verify(STAGED, "--source", source, expect=1)
        self.assertIn("was ended by signal", done.stderr)
        done = self.verify(STAGED, "--source", source, "--on", "m4", expect=1)
        self.assertIn("had a fault", done.stderr)

    def test_undefined_behaviour(self):
        source = self.source('#include "aot_model.h"\n'
                             "int32_t aot_hydrate_constants(aot_model_context_t *ctx)\n"
                             "{ volatile int32_t one = 1; (void)ctx; return one << (one + 40); }\n")
        done = self.verify(STAGED, "--source", source, "--sanitize", expect=1)
        self.assertIn("runtime error: shift exponent 41", done.stderr)

    def custom_operator(self) -> tuple[Path, Path, Path]:
        """A model with one custom operator, its function, and what it makes of an input."""
        graph = GraphBuilder()
        given, result = (graph.tensor("int8", (1, 4), scale=(1.0,), zero_point=(0,)) for _ in range(2))
        graph.operator("CUSTOM", [given], [result], custom="twice")
        model = self.folder / "custom.tflite"
        model.write_bytes(graph.build([given], [result]))
        values = np.array([[1, -2, 3, -4]], np.int8)
        vectors = self.folder / "custom.npz"
        np.savez(vectors, input_0=values, output_0=values * 2)
        source = self.source(CUSTOM_SOURCE)
        return model, source, vectors

    def test_a_custom_operator(self):
        model, source, vectors = self.custom_operator()
        declared = "--custom_operators=[{name: twice}]"
        for words in ([], ["--source", source], ["--reference", "litert"]):
            failure = self.failure(self.verify(declared, "--json", *words, expect=2, model=model))
            self.assertIn("no expected outputs", failure["message"])
            self.assertIn("--vectors FILE.npz --source FILE.c", failure["hint"])
        for place in ("host", "m4"):
            self.verify(declared, "--vectors", vectors, "--source", source, "--on", place, expect=0, model=model)

    def test_a_module_larger_than_the_board(self):
        graph = GraphBuilder()
        # In place, and still more than the board has.
        tensors = [graph.tensor("int8", (1, 24 << 20), scale=(1.0,), zero_point=(0,)) for _ in range(2)]
        graph.operator("RELU", tensors[:1], tensors[1:])
        model = self.folder / "large.tflite"
        model.write_bytes(graph.build(tensors[:1], tensors[1:]))
        failure = self.failure(self.verify("--on", "m4", "--invocations", "1", "--json", expect=4, model=model))
        self.assertIn("does not fit mps2-an386", failure["message"])

    # --- folders and interruption ---

    def test_keep(self):
        kept = self.folder / "kept" / "here"
        self.verify("--on", "m4", "--keep", kept, expect=0)
        for name in ("program", "program.map", "link.ld", "target_harness.c", "module/README.md"):
            self.assertTrue((kept / name).is_file(), name)
        for again in (kept, f"{kept}/"):
            self.assertIn("exists already", self.failure(self.verify("--keep", again, "--json", expect=5))["message"])
        self.verify("--keep", f"{self.folder}/new/", expect=0, model=SMALL_MODEL)
        self.assertTrue((self.folder / "new" / "program").is_file())

    def interrupt(self, place: str, by: int):
        source = self.source('#include "aot_model.h"\n'
                             "int32_t aot_hydrate_constants(aot_model_context_t *ctx)\n"
                             "{ (void)ctx; for (;;) {} }\n")
        running = subprocess.Popen([program(), "verify", MODEL, STAGED, "--source", source, "--on", place],
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=heed_interruptions)
        # The program runs when its vectors and the image are there.
        for _ in range(600):
            if list(self.temporary.glob("*/vectors.bin")):
                break
            time.sleep(0.1)
        time.sleep(0.5)
        running.send_signal(by)
        running.communicate(timeout=60)
        self.assertEqual(running.returncode, -by)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_interruption_on_the_host(self):
        self.interrupt("host", signal.SIGINT)

    def test_interruption_on_a_core(self):
        self.interrupt("m4", signal.SIGTERM)

    # --- LiteRT ---

    def test_litert(self):
        model = OWN_MODELS / "ds_cnn_int8.tflite"
        done = self.verify("--reference", "litert", expect=0, model=model, INGOT_PYTHON=sys.executable)
        self.assertIn("equal, 36 values", done.stdout)
        # Its outputs must be what is compared: a kernel of ours that gives another result is found.
        source = self.source('#include "aot_model.h"\n'
                             "int32_t aot_hydrate_constants(aot_model_context_t *ctx)\n"
                             "{ aot_constants_hydrated(ctx); return 0; }\n")
        done = self.verify("--reference", "litert", STAGED, "--source", source, expect=1, model=model,
                           INGOT_PYTHON=sys.executable)
        self.assertIn("differ; the first in invocation 0", done.stdout)

    def test_python_without_litert(self):
        python = self.folder / "python"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
        python.chmod(0o755)
        done = self.verify("--reference", "litert", expect=6, INGOT_PYTHON=str(python))
        self.assertIn("LiteRT cannot be loaded: no module", done.stderr)
        self.assertIn("pip install ai-edge-litert", done.stderr)


if __name__ == "__main__":
    unittest.main()
