"""`ingot run` and `ingot inspect`: inputs in every form, outputs and layers against the goldens."""

import json
import struct
import unittest
import zipfile

from support import MODEL, MODELS, STATEFUL_MODEL, CommandLineTest

GOLDEN = MODELS / "golden" / "demo"
INPUT = (GOLDEN / "in_0.bin").read_bytes()
OUTPUT = (GOLDEN / "out_0.bin").read_bytes()
SHAPE = (1, 16, 16, 3)
INVOCATIONS = 6


def npy(type_name: str, shape: tuple, data: bytes, fortran=False) -> bytes:
    header = f"{{'descr': '{type_name}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


class Running(CommandLineTest):
    def run_demo(self, status, *words):
        return self.expect(status, "run", STATEFUL_MODEL, *words)

    def output(self, name="output_0.bin") -> bytes:
        return (self.folder / "out" / name).read_bytes()

    def test_golden_outputs_with_state_carried(self):
        self.run_demo(0, "--input", GOLDEN / "in_0.bin", "--output-dir", "out")
        self.assertEqual(self.output(), OUTPUT)

    def test_inputs_by_name_and_index(self):
        name = json.loads((GOLDEN / "index.json").read_text())["inputs"][0]["name"]
        for key in (name, "0"):
            self.run_demo(0, "--input", f"{key}={GOLDEN / 'in_0.bin'}", "--output-dir", "out")
            self.assertEqual(self.output(), OUTPUT)
        result = self.run_demo(2, "--input", f"{name}x={GOLDEN / 'in_0.bin'}")
        self.assertIn(f"did you mean '{name}'?", result.err)

    def test_npy_inputs(self):
        for shape in [(INVOCATIONS, *SHAPE), (INVOCATIONS, *SHAPE[1:])]:
            self.write("in.npy", npy("|i1", shape, INPUT))
            self.run_demo(0, "--input", "in.npy", "--output-dir", "out")
            self.assertEqual(self.output(), OUTPUT)
        self.write("in.npy", npy("|i1", SHAPE, INPUT[:768]))
        self.run_demo(0, "--input", "in.npy", "--output-dir", "out")
        self.assertEqual(self.output(), OUTPUT[:10])

    def test_npy_outputs(self):
        self.run_demo(0, "--input", GOLDEN / "in_0.bin", "--output-dir", "out", "--npy")
        data = self.output("output_0.npy")
        self.assertTrue(data.startswith(b"\x93NUMPY\x01\x00"))
        self.assertIn(b"'descr': '|i1'", data)
        self.assertIn(b"'shape': (6, 1, 10)", data)
        self.assertTrue(data.endswith(OUTPUT))
        self.assertEqual((len(data) - len(OUTPUT)) % 64, 0)

    def test_fewer_invocations_than_the_file_holds(self):
        self.run_demo(0, "--input", GOLDEN / "in_0.bin", "--output-dir", "out", "--invocations", "2")
        self.assertEqual(self.output(), OUTPUT[:20])
        self.run_demo(2, "--input", GOLDEN / "in_0.bin", "--invocations", "7")

    def test_wrong_sizes_and_types_are_status_2(self):
        self.write("short.bin", INPUT[:767])
        self.write("long.bin", INPUT[:769])
        self.write("empty.bin", b"")
        self.write("type.npy", npy("|u1", SHAPE, INPUT[:768]))
        self.write("shape.npy", npy("|i1", (1, 16, 48), INPUT[:768]))
        for name in ("short.bin", "long.bin", "empty.bin", "type.npy", "shape.npy"):
            self.assertIn(name, self.run_demo(2, "--input", name).err)
        self.run_demo(2, "--input", GOLDEN / "in_0.bin", "--input", GOLDEN / "in_0.bin")

    def test_broken_npy_files_are_status_5(self):
        self.write("fortran.npy", npy("|i1", SHAPE, INPUT[:768], fortran=True))
        self.write("cut.npy", npy("|i1", SHAPE, INPUT[:700]))
        for name in ("fortran.npy", "cut.npy"):
            self.run_demo(5, "--input", name)

    def test_layers_equal_the_goldens(self):
        # Without transforms every operator is there, and each layer is compared.
        self.run_demo(0, "--input", GOLDEN / "in_0.bin", "--layers", "layers",
                      "--transforms=[{name: '*', enabled: false}]")
        golden = {p.name: p.read_bytes() for p in (GOLDEN / "layers_0").iterdir()}
        written = {p.name: p.read_bytes() for p in (self.folder / "layers").iterdir()}
        self.assertEqual(written, golden)

    def test_random_inputs_depend_on_the_seed_only(self):
        results = []
        for seed in ("1", "1", "2"):
            self.run_demo(0, "--seed", seed, "--invocations", "3", "--output-dir", "out")
            results.append(self.output())
        self.assertEqual(results[0], results[1])
        self.assertNotEqual(results[0], results[2])
        self.assertEqual(len(results[0]), 30)

    def test_a_summary_without_output_folder(self):
        out = self.run_demo(0, "--input", GOLDEN / "in_0.bin").out
        values = " ".join(str(v) for v in struct.unpack("10b", OUTPUT[:10]))
        self.assertIn(values, out)

    def test_budgets_are_ignored(self):
        self.run_demo(0, "--platform.memories", "[{name: ram, size: 1K}]", "--output-dir", "out",
                      "--input", GOLDEN / "in_0.bin")
        self.assertEqual(self.output(), OUTPUT)


class GoldenData(CommandLineTest):
    """`test.golden_data`: archives of vectors, right and wrong."""

    def convert(self, status, arrays: dict):
        with zipfile.ZipFile(self.folder / "golden.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in arrays.items():
                archive.writestr(name, data)
        return self.convert_with(status)

    def convert_with(self, status):
        return self.expect(status, "convert", STATEFUL_MODEL, "-o", "out", "--force",
                           "--test.enabled", "--test.golden_data", "golden.npz")

    def test_one_invocation_or_several(self):
        self.convert(0, {"input_0.npy": npy("|i1", SHAPE, INPUT[:768]),
                         "output_0.npy": npy("|i1", (1, 10), OUTPUT[:10])})
        one = (self.folder / "out/aot_module/src/aot_test_case.c").read_bytes()
        self.convert(0, {"input_0.npy": npy("|i1", (INVOCATIONS, *SHAPE), INPUT),
                         "output_0.npy": npy("|i1", (INVOCATIONS, 1, 10), OUTPUT)})
        six = (self.folder / "out/aot_module/src/aot_test_case.c").read_bytes()
        self.assertGreater(len(six), len(one))

    def test_wrong_arrays_are_status_2(self):
        good = {"input_0.npy": npy("|i1", SHAPE, INPUT[:768]),
                "output_0.npy": npy("|i1", (1, 10), OUTPUT[:10])}
        for change in [{"input_0.npy": npy("|u1", SHAPE, INPUT[:768])},
                       {"input_0.npy": npy("|i1", (1, 768), INPUT[:768])},
                       {"input_0.npy": npy("|i1", (2, *SHAPE), INPUT[:1536])},
                       {"output_0.npy": npy("|i1", (1, 9), OUTPUT[:9])},
                       {"output_0.npy": npy("|i1", (0, 1, 10), b"")},
                       {"output_1.npy": npy("|i1", (1, 10), OUTPUT[:10])},
                       {"notes.txt": b"hello"}]:
            self.convert(2, {**good, **change})
        self.convert(2, {"input_0.npy": good["input_0.npy"]})
        self.assertFalse((self.folder / "out" / "aot_module").exists())

    def test_broken_archives_are_status_5(self):
        self.convert(5, {"input_0.npy": b"no array", "output_0.npy": b""})
        self.write("golden.npz", b"no archive")
        self.convert_with(5)
        self.write("golden.npz", b"")
        self.convert_with(5)

    def test_a_bomb_is_status_5(self):
        self.convert(5, {"input_0.npy": bytes(300 << 20)})


class Inspecting(CommandLineTest):
    def test_operators_and_tensors(self):
        result = self.expect(0, "inspect", STATEFUL_MODEL, "--json").json
        self.assertEqual([op["type"] for op in result["operators"]],
                         json.loads((GOLDEN / "index.json").read_text())["ops"])
        self.assertTrue(all(op["supported"] for op in result["operators"]))
        first = result["tensors"][result["inputs"][0]]
        self.assertEqual((first["kind"], first["type"], first["shape"]), ("input", "int8", list(SHAPE)))
        self.assertEqual(first["quantization"]["scales"], [0.015625])
        self.assertEqual(first["quantization"]["zero_points"], [-5])
        self.assertGreater(result["totals"]["macs"], 0)
        self.assertEqual(result["totals"]["macs"], sum(op["macs"] for op in result["operators"]))

    def test_text(self):
        out = self.expect(0, "inspect", MODEL).out
        for word in ("CONV_2D", "DEPTHWISE_CONV_2D", "1x49x10x1", "scale", "MACs"):
            self.assertIn(word, out)


if __name__ == "__main__":
    unittest.main()
