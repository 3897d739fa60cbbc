"""The reference: TensorFlow Lite Micro's interpreter from the pinned PyPI wheel."""

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from tflite_micro import runtime

from cases import Vector

ARENA = 4 << 20


def random_tensor(rng: np.random.Generator, shape, dtype, spread="uniform") -> np.ndarray:
    """Seeded values: integers over their whole range, its ends, or its middle; floats around 0."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dtype.kind == "f":
        scale = {"uniform": 4.0, "extremes": 300.0, "narrow": 0.5}[spread]
        return rng.uniform(-scale, scale, shape).astype(dtype)
    info = np.iinfo(dtype)
    if spread == "extremes":
        return rng.choice(np.array([info.min, info.max], dtype), shape)
    low, high = (-8, 9) if spread == "narrow" else (info.min, int(info.max) + 1)
    return rng.integers(low, high, shape, dtype=np.int64).astype(dtype)


class Reference:
    """One model in the interpreter; a fresh one carries no state."""

    def __init__(self, model: bytes):
        graph = schema.Model.GetRootAs(model).Subgraphs(0)
        self.inputs = graph.InputsLength()
        self.outputs = graph.OutputsLength()
        self.interpreter = runtime.Interpreter.from_bytes(model, arena_size=ARENA + 4 * len(model))

    def invoke(self, inputs: list[np.ndarray]) -> list[np.ndarray]:
        for index, value in enumerate(inputs):
            self.interpreter.set_input(value, index)
        self.interpreter.invoke()
        return [self.interpreter.get_output(k) for k in range(self.outputs)]

    def input_details(self) -> list[dict]:
        return [self.interpreter.get_input_details(k) for k in range(self.inputs)]


def reference_vectors(model: bytes, seed: int, vectors: int, invocations=1,
                      spreads=("uniform", "extremes", "narrow")) -> list[Vector]:
    """Seeded inputs and what the reference makes of them, each vector on a fresh interpreter."""
    rng = np.random.default_rng(seed)
    result = []
    for number in range(vectors):
        reference = Reference(model)
        details = reference.input_details()
        vector = Vector([], [])
        for step in range(invocations):
            spread = spreads[(number + step) % len(spreads)]
            values = [random_tensor(rng, tuple(d["shape"]), d["dtype"], spread) for d in details]
            outputs = reference.invoke(values)
            vector.inputs.append([v.tobytes() for v in values])
            vector.outputs.append([np.ascontiguousarray(v).tobytes() for v in outputs])
        result.append(vector)
    return result
