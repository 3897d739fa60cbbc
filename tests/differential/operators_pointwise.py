"""Activations, SOFTMAX, conversions between types, and operators that move data."""

import numpy as np

from draw import operator
from model_builder import ACTIVATION, ModelBuilder, options


# Activations


def activation(draw, name, output, kind=None):
    """`output(input_scale)` gives the output's scale and zero point."""
    m = ModelBuilder()
    shape = draw.shape("shape", 1, 4, 7)
    scale = draw.scale("input_scale", 1e-3, 0.3)
    zero = draw.zero_point("input_zero")
    x = m.tensor("int8", shape, scale, zero, model_input=True)
    y = m.tensor("int8", shape, *output(scale, zero))
    return m.build(name, [x], [y], None if kind is None else options(kind), version=2)


def rescaled(draw):
    """A neighbouring scale and any zero point, or just the input's own."""
    def output(scale, zero):
        if draw.chance("same_quantization", 0.25):
            return scale, zero
        return draw.scale("output_scale", scale / 8, scale * 4), draw.zero_point("output_zero")
    return output


@operator
def relu(draw):
    return activation(draw, "RELU", rescaled(draw))


@operator
def relu6(draw):
    return activation(draw, "RELU6", rescaled(draw))


@operator
def logistic(draw):
    return activation(draw, "LOGISTIC", lambda scale, zero: (1 / 256, -128))


@operator
def tanh(draw):
    return activation(draw, "TANH", lambda scale, zero: (1 / 128, 0))


@operator
def softmax(draw):
    m = ModelBuilder()
    shape = draw.shape("shape", 1, 4, 9)
    if draw.chance("long_rows", 0.2):
        shape[-1] = draw.whole("row", 10, 300)
    target = draw.choice("output_type", ["int8", "int16"])
    x = m.tensor("int8", shape, draw.scale("input_scale", 1e-3, 1), draw.zero_point("input_zero"),
                 model_input=True)
    y = m.tensor(target, shape, *((1 / 256, -128) if target == "int8" else (1 / 65536, -32768)))
    return m.build("SOFTMAX", [x], [y], options("Softmax", beta=draw.choice("beta", [1.0, 1.0, 0.5, 2.0])),
                   version=2)


# Conversions

RANGE = {"int8": 128, "int16": 32768, "int32": 2.0 ** 31}
QUANTIZE_PAIRS = [("float32", "int8"), ("float32", "int16"), ("int8", "int8"), ("int8", "int16"),
                  ("int8", "int32"), ("int16", "int8"), ("int16", "int16"), ("int16", "int32"),
                  ("int32", "int8"), ("int32", "int16")]


@operator
def quantize(draw):
    m = ModelBuilder()
    source, target = draw.choice("types", QUANTIZE_PAIRS)
    shape = draw.shape("shape", 1, 4, 7)
    target_zero = draw.zero_point("output_zero", target) if target != "int32" else 0
    if source == "float32":
        x = m.tensor("float32", shape, model_input=True)
        y = m.tensor(target, shape, draw.scale("output_scale", 4 / RANGE[target] / 4, 4 / RANGE[target] * 4),
                     target_zero)
        return m.build("QUANTIZE", [x], [y], options("Quantize"), version=1)
    scale = draw.scale("input_scale", 1e-3, 0.5)
    if source == "int32":
        scale = draw.scale("input_scale", 1e-9, 1e-7)
    source_zero = draw.zero_point("input_zero", source) if source != "int32" else 0
    # Within the contract: the input times the ratio stays in 32 bits (numerics: no wrapped shift).
    typical = scale * RANGE[source] / min(RANGE[target], 2.0 ** 20)
    x = m.tensor(source, shape, scale, source_zero, model_input=True)
    y = m.tensor(target, shape, draw.scale("output_scale", typical / 2, typical * 4), target_zero)
    return m.build("QUANTIZE", [x], [y], options("Quantize"), version=2)


@operator
def dequantize(draw):
    m = ModelBuilder()
    source = draw.choice("type", ["int8", "int16"])
    shape = draw.shape("shape", 1, 4, 7)
    x = m.tensor(source, shape, draw.scale("scale", 1e-5, 2), draw.zero_point("zero", source),
                 model_input=True)
    y = m.tensor("float32", shape)
    return m.build("DEQUANTIZE", [x], [y], options("Dequantize"), version=2)


# Data movement


@operator
def reshape(draw):
    m = ModelBuilder()
    shape = draw.shape("shape", 1, 4, 6)
    count, result = int(np.prod(shape)), []
    while count > 1 and len(result) < 4:
        factor = draw.choice("factor", [d for d in range(1, count + 1) if count % d == 0])
        result.append(factor)
        count //= factor
    if count > 1 or not result:
        result.append(count)
    draw.keep("result", result)
    written = list(result)
    if draw.chance("minus_one"):
        written[int(draw.rng.integers(len(written)))] = -1
    scale, zero = draw.scale("scale"), draw.zero_point("zero")
    x = m.tensor("int8", shape, scale, zero, model_input=True)
    inputs = [x]
    if draw.chance("shape_operand", 0.7):
        inputs.append(m.tensor("int32", [len(written)], data=written))
    y = m.tensor("int8", result, scale, zero)
    return m.build("RESHAPE", inputs, [y], options("Reshape", newShape=written), version=1)


@operator
def pad(draw):
    m = ModelBuilder()
    shape = draw.shape("shape", 1, 4, 5)
    paddings = draw.rng.integers(0, 4, [len(shape), 2])
    draw.keep("paddings", paddings.tolist())
    result = [int(n + before + after) for n, (before, after) in zip(shape, paddings)]
    scale, zero = draw.scale("scale"), draw.zero_point("zero")
    x = m.tensor("int8", shape, scale, zero, model_input=True)
    amounts = m.tensor("int32", paddings.shape, data=paddings)
    y = m.tensor("int8", result, scale, zero)
    return m.build("PAD", [x, amounts], [y], options("Pad"), version=2)


@operator
def concatenation(draw):
    m = ModelBuilder()
    shape = draw.shape("shape", 1, 4, 5)
    axis = draw.whole("axis", 0, len(shape) - 1)
    scale, zero = draw.scale("scale"), draw.zero_point("zero")
    operands, total = [], 0
    for number in range(draw.whole("operands", 1, 6)):
        part = list(shape)
        part[axis] = int(draw.rng.integers(1, 6))
        total += part[axis]
        constant = number > 0 and draw.rng.random() < 0.2
        operands.append(m.tensor("int8", part, scale, zero, model_input=not constant,
                                 data=draw.weights(part, -128) if constant else None))
    result = list(shape)
    result[axis] = total
    y = m.tensor("int8", result, scale, zero)
    written = axis - len(shape) if draw.chance("negative_axis", 0.3) else axis
    return m.build("CONCATENATION", operands, [y], options(
        "Concatenation", axis=written, fusedActivationFunction=ACTIVATION["NONE"]), version=2)
