"""What the tests of the command line share: a folder of their own and a way to call Ingot."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("INGOT_PROGRAM", str(ROOT / "build" / "ingot"))
MODELS = ROOT / "tests" / "models"
MODEL = MODELS / "ds_cnn_int8.tflite"
STATEFUL_MODEL = MODELS / "demo.tflite"


class Result:
    def __init__(self, done: subprocess.CompletedProcess):
        self.status = done.returncode
        self.out = done.stdout.decode()
        self.err = done.stderr.decode()

    @property
    def json(self) -> dict:
        return json.loads(self.out)


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="ingot-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def ingot(self, *words, **options) -> Result:
        environment = {"PATH": os.environ["PATH"], **options.pop("env", {})}
        done = subprocess.run([PROGRAM, *map(str, words)], cwd=options.pop("cwd", self.folder),
                              env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=120, **options)
        return Result(done)

    def expect(self, status: int, *words, **options) -> Result:
        result = self.ingot(*words, **options)
        self.assertEqual(result.status, status, f"{words}\n{result.out}{result.err}")
        return result

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below the folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}
