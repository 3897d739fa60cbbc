"""Pooling, arithmetic with broadcasting, reductions."""

import numpy as np

from draw import draw_window, operator
from model_builder import ACTIVATION, PADDING, ModelBuilder, options


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


@operator
def mean(draw):
    m = ModelBuilder()
    shape = draw.shape("input", 1, 5, 7)
    rank = len(shape)
    axes = sorted({int(a) for a in draw.rng.integers(0, rank, draw.whole("axes", 1, rank))})
    draw.keep("axes", axes)
    kept = draw.chance("keep_dims")
    result = [1 if i in axes else n for i, n in enumerate(shape) if kept or i not in axes]
    written = [a - rank if draw.rng.random() < 0.3 else a for a in axes]
    if draw.chance("axis_twice", 0.1):
        written.append(written[0])
    scale = draw.scale("input_scale")
    x = m.tensor("int8", shape, scale, draw.zero_point("input_zero"), model_input=True)
    axis = m.tensor("int32", [len(written)], data=written)
    count = int(np.prod([shape[a] for a in axes]))
    y = m.tensor("int8", result, draw.scale("output_scale", scale / count / 2, scale * 2),
                 draw.zero_point("output_zero"))
    return m.build("MEAN", [x, axis], [y], options("Reducer", keepDims=kept), version=2)
