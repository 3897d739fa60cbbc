"""What random one-operator models are drawn with.

A case is made from (operator, number) alone, so that a report of both is enough to make it again.
Scales are drawn so that results use a good part of the output's range and sometimes saturate.
"""

import zlib
from dataclasses import dataclass

import numpy as np

BASE_SEED = 20260


class Draw:
    """Seeded choices; every named one is kept for the report of a failure."""

    def __init__(self, operator: str, number: int):
        self.rng = np.random.default_rng([BASE_SEED, zlib.crc32(operator.encode()), number])
        self.chosen = {}

    def keep(self, name, value):
        self.chosen[name] = value
        return value

    def whole(self, name, low, high) -> int:
        """Uniform in low..high, both included."""
        return self.keep(name, int(self.rng.integers(low, high + 1)))

    def choice(self, name, values):
        return self.keep(name, values[int(self.rng.integers(len(values)))])

    def chance(self, name, probability=0.5) -> bool:
        return self.keep(name, bool(self.rng.random() < probability))

    def scale(self, name, low=1e-3, high=0.5) -> float:
        """Log-uniform; as float32, which is what the file holds."""
        return self.keep(name, float(np.float32(np.exp(self.rng.uniform(np.log(low), np.log(high))))))

    def scales(self, name, count, low=1e-3, high=0.1) -> np.ndarray:
        values = np.exp(self.rng.uniform(np.log(low), np.log(high), count)).astype(np.float32)
        self.keep(name, f"{count} in {values.min():.3g}..{values.max():.3g}")
        return values

    def zero_point(self, name, dtype="int8") -> int:
        return self.whole(name, *((-128, 127) if dtype == "int8" else (-2000, 2000)))

    def shape(self, name, low_rank=1, high_rank=4, high_extent=6) -> list[int]:
        rank = int(self.rng.integers(low_rank, high_rank + 1))
        return self.keep(name, [int(n) for n in self.rng.integers(1, high_extent + 1, rank)])

    def activation(self) -> str:
        return self.choice("activation", ["NONE", "NONE", "RELU", "RELU6", "RELU_N1_TO_1"])

    def weights(self, shape, low=-127, high=127) -> np.ndarray:
        values = self.rng.integers(low, high + 1, shape)
        if self.chance("sparse", 0.15):
            values[self.rng.random(shape) < 0.6] = 0
        return values.astype(np.int8)


@dataclass
class RandomCase:
    operator: str
    number: int
    model: bytes
    reference_model: bytes  # what the reference is given: the same but for what it cannot take
    parameters: dict
    invocations: int


OPERATORS = {}


def operator(function):
    """Registers a maker: conv_2d(draw) gives a model's bytes, or those and the reference's model."""
    OPERATORS[function.__name__.upper()] = function
    return function


def make(name: str, number: int) -> RandomCase:
    draw = Draw(name, number)
    made = OPERATORS[name](draw)
    model, reference_model = made if isinstance(made, tuple) else (made, made)
    return RandomCase(name, number, model, reference_model, draw.chosen, 4 if name == "SVDF" else 1)


def output_extent(padding, extent, window, stride) -> int:
    return (extent + stride - 1) // stride if padding == "SAME" else (extent + stride - window) // stride


def draw_window(draw, axis, high_extent, dilation_allowed=True):
    """Input extent, filter extent, stride and dilation of one axis, and the output extent."""
    size = draw.whole(f"filter_{axis}", 1, 5)
    stride = draw.whole(f"stride_{axis}", 1, 3)
    dilation = draw.choice(f"dilation_{axis}", [1, 1, 2, 3]) if dilation_allowed else 1
    effective = (size - 1) * dilation + 1
    low = effective if draw.chosen["padding"] == "VALID" else 1
    extent = draw.whole(f"input_{axis}", low, max(low, high_extent))
    return extent, size, stride, dilation, output_extent(draw.chosen["padding"], extent, effective, stride)
