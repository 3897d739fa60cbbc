"""Models with their expected outputs: the project's own, third-party ones, the operator suite."""

import hashlib
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from project import ROOT, SHARED, SKIPPED, in_ci

OWN_MODELS = ROOT / "tests" / "models"
OPERATOR_SUITE = Path(os.environ.get("INGOT_OP_SUITE", ROOT / "tests" / "data" / "op-suite"))
THIRD_PARTY_TABLE = ROOT / "tests" / "third_party_models.txt"


@dataclass
class Vector:
    """Invocations in order on one fresh instance: for each, the bytes of every tensor."""
    inputs: list[list[bytes]]
    outputs: list[list[bytes]]


@dataclass
class Case:
    name: str
    model: Path
    vectors: list[Vector]
    layers: Path | None = None  # folder with every operator's output of vector 0
    settings: dict = field(default_factory=dict)

    @property
    def identifier(self) -> str:
        return "".join(c if c.isalnum() else "_" for c in self.name).lower()


def split_invocations(data: bytes, sizes: list[int], invocations: int) -> list[list[bytes]]:
    """Cuts invocation after invocation, in each one tensor after another."""
    if len(data) != sum(sizes) * invocations:
        raise ValueError(f"{len(data)} bytes, expected {sum(sizes)} times {invocations}")
    position, result = 0, []
    for _ in range(invocations):
        tensors = []
        for size in sizes:
            tensors.append(data[position:position + size])
            position += size
        result.append(tensors)
    return result


def tensor_size(tensor: dict) -> int:
    """Bytes of a tensor of an index.json: {"shape": [1, 10], "dtype": "INT8"}."""
    return int(np.prod(tensor["shape"], dtype=np.int64)) * np.dtype(tensor["dtype"].lower()).itemsize


def golden_case(model: Path, golden: Path) -> Case:
    """A model with a folder of goldens as tests/models/golden/*."""
    index = json.loads((golden / "index.json").read_text())
    inputs = [tensor_size(tensor) for tensor in index["inputs"]]
    outputs = [tensor_size(tensor) for tensor in index["outputs"]]
    vectors = []
    for vector in index["vectors"]:
        if not (golden / vector["in"]).exists():
            continue
        count = vector["invocations"]
        vectors.append(Vector(split_invocations((golden / vector["in"]).read_bytes(), inputs, count),
                              split_invocations((golden / vector["out"]).read_bytes(), outputs, count)))
    layers = golden / "layers_0"
    return Case(model.stem, model, vectors, layers if layers.is_dir() else None)


def own_models() -> list[Case]:
    return [golden_case(model, OWN_MODELS / "golden" / model.stem)
            for model in sorted(OWN_MODELS.glob("*.tflite"))]


def third_party_names() -> list[str]:
    return [line.split()[0] for line in THIRD_PARTY_TABLE.read_text().splitlines()
            if line and not line.startswith("#")]


def find_third_party(file: str) -> Path | None:
    """A third-party model or schema where one of its homes on this machine has the right bytes."""
    rows = THIRD_PARTY_TABLE.read_text() + THIRD_PARTY_TABLE.with_name("third_party_files.txt").read_text()
    sha256 = next(line.split()[1] for line in rows.splitlines() if line.startswith(file + " "))
    homes = [SHARED / "models", SHARED / "reference", ROOT / ".cache" / "models"]
    if os.environ.get("INGOT_MODELS"):
        homes.insert(0, Path(os.environ["INGOT_MODELS"]))
    for home in homes:
        path = home / file
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
            return path
    return None


def third_party_case(file: str) -> Case | None:
    """The model with its goldens, or, away from them, with what the reference interpreter says."""
    model = find_third_party(file)
    if model is None:
        return None
    golden = SHARED / "golden" / model.stem
    if golden.is_dir():
        return golden_case(model, golden)
    from reference import reference_vectors
    return Case(model.stem, model, reference_vectors(model.read_bytes(), seed=1, vectors=2))


def find_case(file: str) -> Case:
    """A model by its file name. Ends the test program when it is a third-party one that is not here."""
    if file not in third_party_names():
        model = OWN_MODELS / file
        return golden_case(model, OWN_MODELS / "golden" / model.stem)
    case = third_party_case(file)
    if case is None:
        print(f"{file} is not here: scripts/fetch-models.sh gets it")
        sys.exit(1 if in_ci() else SKIPPED)
    return case


def all_models() -> list[Case]:
    """Own models, and the third-party ones that are here."""
    found = [third_party_case(file) for file in third_party_names()]
    return own_models() + [case for case in found if case is not None]


def operator_suite() -> list[Case]:
    """The one-operator models of tests/data/op-suite with their goldens."""
    result = []
    for entry in json.loads((OPERATOR_SUITE / "index.json").read_text())["cases"]:
        golden = (OPERATOR_SUITE / entry["golden"]).read_bytes()
        inputs = [tensor_size(tensor) for tensor in entry["inputs"]]
        outputs = [tensor_size(tensor) for tensor in entry["outputs"]]
        vectors = []
        for vector in entry["vectors"]:
            position, vector_in, vector_out = vector["offset"], [], []
            for _ in range(entry["invocations"]):
                for sizes, target in ((inputs, vector_in), (outputs, vector_out)):
                    data = golden[position:position + sum(sizes)]
                    target += split_invocations(data, sizes, 1)
                    position += sum(sizes)
            vectors.append(Vector(vector_in, vector_out))
        result.append(Case(entry["file"].removesuffix(".tflite"), OPERATOR_SUITE / entry["file"], vectors))
    return result
