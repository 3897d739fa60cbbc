"""Random one-operator models within what the operators' constraints allow.

A case is made from (operator, number) alone, so that a report of both is enough to make it again.
Scales are drawn so that results use a good part of the output's range and sometimes saturate.
"""

import zlib
from dataclasses import dataclass

import numpy as np

from model_builder import ACTIVATION, PADDING, ModelBuilder, options

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
        self.keep(name, [float(v) for v in values])
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
    parameters: dict
    invocations: int


OPERATORS = {}


def operator(function):
    """Registers a maker: conv_2d(draw) -> model bytes."""
    OPERATORS[function.__name__.upper()] = function
    return function


def make(name: str, number: int) -> RandomCase:
    draw = Draw(name, number)
    model = OPERATORS[name](draw)
    return RandomCase(name, number, model, draw.chosen, 4 if name == "SVDF" else 1)


# Convolutions


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


def add_filter(draw, m, shape, channels, axis, input_scale, terms):
    """Weights, bias (or -1) and an output scale that fits `terms` products."""
    per_channel = draw.chance("per_channel", 0.7)
    scales = draw.scales("filter_scales", channels if per_channel else 1)
    if draw.chance("a_tiny_scale", 0.08):
        scales[int(draw.rng.integers(len(scales)))] = 1e-12  # a multiplier that counts as 0
    weights = m.tensor("int8", shape, scales, axis=axis, data=draw.weights(shape))
    bias = -1
    if draw.chance("bias", 0.8):
        bound = 1 << int(draw.rng.integers(4, 18))
        bias = m.tensor("int32", [channels], input_scale * scales,
                        data=draw.rng.integers(-bound, bound, channels))
    typical = input_scale * float(np.median(scales)) * 75 * 75 * np.sqrt(terms)
    output_scale = draw.scale("output_scale", typical / 400, typical / 20)
    return weights, bias, output_scale


@operator
def conv_2d(draw):
    m = ModelBuilder()
    draw.choice("padding", ["SAME", "VALID"])
    h, kh, sh, dh, oh = draw_window(draw, "h", 10)
    w, kw, sw, dw, ow = draw_window(draw, "w", 10)
    batch, groups = draw.whole("batch", 1, 3), draw.choice("groups", [1, 1, 1, 2, 3])
    depth, filters = draw.whole("depth", 1, 9), draw.whole("filters_per_group", 1, 9) * groups
    scale = draw.scale("input_scale")
    x = m.tensor("int8", [batch, h, w, depth * groups], scale, draw.zero_point("input_zero"),
                 model_input=True)
    weights, bias, output_scale = add_filter(draw, m, [filters, kh, kw, depth], filters, 0, scale,
                                             kh * kw * depth)
    y = m.tensor("int8", [batch, oh, ow, filters], output_scale, draw.zero_point("output_zero"))
    return m.build("CONV_2D", [x, weights, bias], [y], options(
        "Conv2D", padding=PADDING[draw.chosen["padding"]], strideH=sh, strideW=sw,
        dilationHFactor=dh, dilationWFactor=dw,
        fusedActivationFunction=ACTIVATION[draw.activation()]), version=6 if groups > 1 else 3)


@operator
def depthwise_conv_2d(draw):
    m = ModelBuilder()
    draw.choice("padding", ["SAME", "VALID"])
    h, kh, sh, dh, oh = draw_window(draw, "h", 10)
    w, kw, sw, dw, ow = draw_window(draw, "w", 10)
    batch, depth = draw.whole("batch", 1, 3), draw.whole("depth", 1, 17)
    multiplier = draw.choice("depth_multiplier", [1, 1, 1, 2, 3, 8])
    channels, scale = depth * multiplier, draw.scale("input_scale")
    x = m.tensor("int8", [batch, h, w, depth], scale, draw.zero_point("input_zero"), model_input=True)
    weights, bias, output_scale = add_filter(draw, m, [1, kh, kw, channels], channels, 3, scale, kh * kw)
    y = m.tensor("int8", [batch, oh, ow, channels], output_scale, draw.zero_point("output_zero"))
    return m.build("DEPTHWISE_CONV_2D", [x, weights, bias], [y], options(
        "DepthwiseConv2D", padding=PADDING[draw.chosen["padding"]], strideH=sh, strideW=sw,
        dilationHFactor=dh, dilationWFactor=dw, depthMultiplier=multiplier,
        fusedActivationFunction=ACTIVATION[draw.activation()]), version=3)


@operator
def fully_connected(draw):
    m = ModelBuilder()
    rows, depth = draw.whole("rows", 1, 40), draw.whole("depth", 1, 70)
    lead = draw.shape("batches", 1, 3, 3)
    scale = draw.scale("input_scale")
    x = m.tensor("int8", [*lead, depth], scale, draw.zero_point("input_zero"), model_input=True)
    per_channel = draw.chance("per_channel", 0.5)
    scales = draw.scales("filter_scales", rows if per_channel else 1)
    weight_zero = 0
    if len(scales) == 1 and draw.chance("filter_has_zero_point", 0.15):
        weight_zero = draw.zero_point("filter_zero")
    weights = m.tensor("int8", [rows, depth], scales, weight_zero, data=draw.weights([rows, depth]))
    bias = -1
    if draw.chance("bias", 0.8):
        bound = 1 << int(draw.rng.integers(4, 18))
        bias = m.tensor("int32", [rows], np.float32(scale) * scales,
                        data=draw.rng.integers(-bound, bound, rows))
    typical = scale * float(np.median(scales)) * 75 * (75 + abs(weight_zero)) * np.sqrt(depth)
    keep = draw.chance("keep_num_dims")
    shape = [*lead, rows] if keep else [int(np.prod(lead)), rows]
    y = m.tensor("int8", shape, draw.scale("output_scale", typical / 400, typical / 20),
                 draw.zero_point("output_zero"))
    return m.build("FULLY_CONNECTED", [x, weights, bias], [y], options(
        "FullyConnected", keepNumDims=keep, fusedActivationFunction=ACTIVATION[draw.activation()]),
        version=4)


# Pooling


def pool(draw, name):
    m = ModelBuilder()
    draw.choice("padding", ["SAME", "VALID"])
    h, kh, sh, _, oh = draw_window(draw, "h", 12, dilation_allowed=False)
    w, kw, sw, _, ow = draw_window(draw, "w", 12, dilation_allowed=False)
    batch, depth = draw.whole("batch", 1, 3), draw.whole("depth", 1, 19)
    scale, zero = draw.scale("scale"), draw.zero_point("zero")
    x = m.tensor("int8", [batch, h, w, depth], scale, zero, model_input=True)
    y = m.tensor("int8", [batch, oh, ow, depth], scale, zero)
    return m.build(name, [x], [y], options(
        "Pool2D", padding=PADDING[draw.chosen["padding"]], strideH=sh, strideW=sw, filterHeight=kh,
        filterWidth=kw, fusedActivationFunction=ACTIVATION[draw.activation()]), version=2)


@operator
def average_pool_2d(draw):
    return pool(draw, "AVERAGE_POOL_2D")


@operator
def max_pool_2d(draw):
    return pool(draw, "MAX_POOL_2D")


# Arithmetic with broadcasting


def broadcast_operands(draw) -> tuple[list[int], list[int], list[int]]:
    """Two shapes that broadcast, and their result."""
    result = draw.shape("output", 1, 5, 5)
    def shrink(name):
        how = draw.choice(name, ["same", "same", "ones", "short", "scalar_like"])
        if how == "ones":
            return [1 if draw.rng.random() < 0.5 else n for n in result]
        if how == "short":
            return result[int(draw.rng.integers(len(result))):]
        return [1] if how == "scalar_like" else list(result)
    first = shrink("first_shape")
    second = list(result) if draw.chance("second_full", 0.6) else shrink("second_shape")
    rank = max(len(first), len(second))
    padded = [[1] * (rank - len(s)) + s for s in (first, second)]
    if draw.chance("swap"):
        first, second = second, first
    return first, second, [max(a, b) for a, b in zip(*padded)]


def arithmetic(draw, name, kind, output_range):
    m = ModelBuilder()
    first, second, result = broadcast_operands(draw)
    s1, s2 = draw.scale("scale_1", 1e-3, 1), draw.scale("scale_2", 1e-3, 1)
    x1 = m.tensor("int8", first, s1, draw.zero_point("zero_1"), model_input=True)
    if draw.chance("constant", 0.25):
        x2 = m.tensor("int8", second, s2, draw.zero_point("zero_2"), data=draw.weights(second, -128))
    else:
        x2 = m.tensor("int8", second, s2, draw.zero_point("zero_2"), model_input=True)
    typical = output_range(s1, s2)
    y = m.tensor("int8", result, draw.scale("output_scale", typical / 3, typical * 3),
                 draw.zero_point("output_zero"))
    operands = [x2, x1] if draw.chance("constant_first", 0.3) else [x1, x2]
    return m.build(name, operands, [y],
                   options(kind, fusedActivationFunction=ACTIVATION[draw.activation()]), version=2)


@operator
def add(draw):
    return arithmetic(draw, "ADD", "Add", max)


@operator
def sub(draw):
    return arithmetic(draw, "SUB", "Sub", max)


@operator
def mul(draw):
    return arithmetic(draw, "MUL", "Mul", lambda a, b: a * b * 60)
