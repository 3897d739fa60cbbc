"""Operators with weights: convolutions, fully connected layers, SVDF."""

import numpy as np

from draw import draw_window, operator
from model_builder import ACTIVATION, PADDING, ModelBuilder, options


def draw_bias(draw, m, channels, scales, bound_bits=18) -> list[int]:
    """The operator's bias operand: a tensor, the index -1 of an absent one, or nothing at all."""
    kind = draw.choice("bias", ["tensor"] * 8 + ["absent", "left out"])
    if kind != "tensor":
        return [-1] if kind == "absent" else []
    bound = 1 << int(draw.rng.integers(4, bound_bits))
    return [m.tensor("int32", [channels], scales, data=draw.rng.integers(-bound, bound, channels))]


def add_filter(draw, m, shape, channels, axis, input_scale, terms):
    """Weights, per channel or per tensor, and an output scale that fits `terms` products."""
    per_channel = draw.chance("per_channel", 0.7)
    scales = draw.scales("filter_scales", channels if per_channel else 1)
    typical = input_scale * float(np.median(scales)) * 75 * 75 * np.sqrt(terms)
    if len(scales) > 1 and draw.chance("a_tiny_scale", 0.1):
        scales[int(draw.rng.integers(len(scales)))] = 1e-12  # a multiplier that counts as 0
    weights = m.tensor("int8", shape, scales, axis=axis, data=draw.weights(shape))
    output_scale = draw.scale("output_scale", typical / 400, typical / 20)
    return weights, np.float32(input_scale) * scales, output_scale


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
    weights, bias_scales, output_scale = add_filter(draw, m, [filters, kh, kw, depth], filters, 0,
                                                    scale, kh * kw * depth)
    bias = draw_bias(draw, m, filters, bias_scales)
    y = m.tensor("int8", [batch, oh, ow, filters], output_scale, draw.zero_point("output_zero"))
    return m.build("CONV_2D", [x, weights, *bias], [y], options(
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
    weights, bias_scales, output_scale = add_filter(draw, m, [1, kh, kw, channels], channels, 3, scale,
                                                    kh * kw)
    bias = draw_bias(draw, m, channels, bias_scales)
    y = m.tensor("int8", [batch, oh, ow, channels], output_scale, draw.zero_point("output_zero"))
    chosen = options(
        "DepthwiseConv2D", padding=PADDING[draw.chosen["padding"]], strideH=sh, strideW=sw,
        dilationHFactor=dh, dilationWFactor=dw, depthMultiplier=multiplier,
        fusedActivationFunction=ACTIVATION[draw.activation()])
    model = m.build("DEPTHWISE_CONV_2D", [x, weights, *bias], [y], chosen, version=3)
    if draw.chosen["bias"] == "tensor":
        return model
    # The checked reference stops at a missing bias; its release build takes it for zeros.
    zeros = m.tensor("int32", [channels], bias_scales, data=np.zeros(channels))
    return model, m.build("DEPTHWISE_CONV_2D", [x, weights, zeros], [y], chosen, version=3)


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
    bias = draw_bias(draw, m, rows, np.float32(scale) * scales)
    typical = scale * float(np.median(scales)) * 75 * (75 + abs(weight_zero)) * np.sqrt(depth)
    keep = draw.chance("keep_num_dims")
    shape = [*lead, rows] if keep else [int(np.prod(lead)), rows]
    y = m.tensor("int8", shape, draw.scale("output_scale", typical / 400, typical / 20),
                 draw.zero_point("output_zero"))
    return m.build("FULLY_CONNECTED", [x, weights, *bias], [y], options(
        "FullyConnected", keepNumDims=keep, fusedActivationFunction=ACTIVATION[draw.activation()]),
        version=4)


@operator
def svdf(draw):
    m = ModelBuilder()
    batch, depth, memory = draw.whole("batch", 1, 3), draw.whole("depth", 1, 20), draw.whole("memory", 1, 9)
    rank, units = draw.whole("rank", 1, 3), draw.whole("units", 1, 9)
    filters = rank * units
    state_type = draw.choice("state_type", ["int8", "int16"])
    full = 120 if state_type == "int8" else 30000
    s_x, s_f, s_t = draw.scale("input_scale"), draw.scale("feature_scale", 1e-3, 0.1), draw.scale("time_scale", 1e-4, 0.05)
    s_state = draw.scale("state_scale", s_x * s_f * 5000 * np.sqrt(depth) / full,
                         s_x * s_f * 5000 * np.sqrt(depth) / full * 8)
    state_zero = draw.choice("state_zero", [0, 0, 0, 7]) if state_type == "int8" else 0
    time_full = 127 if state_type == "int8" else 32767
    bias_scale = np.float32(s_state) * np.float32(s_t)
    typical = s_state * s_t * (full * 0.4) * (time_full * 0.6) * np.sqrt(memory * rank)

    x = m.tensor("int8", [batch, depth], s_x, draw.zero_point("input_zero"), model_input=True)
    feature = m.tensor("int8", [filters, depth], s_f, data=draw.weights([filters, depth]))
    time = m.tensor(state_type, [filters, memory], s_t,
                    data=draw.rng.integers(-time_full, time_full + 1, [filters, memory]))
    bound = 1 << int(draw.rng.integers(4, 16))
    bias = m.tensor("int32", [units], bias_scale, data=draw.rng.integers(-bound, bound, units))
    state = m.tensor(state_type, [batch, filters * memory], s_state, state_zero, variable=True)
    y = m.tensor("int8", [batch, units], draw.scale("output_scale", typical / 150, typical / 20),
                 draw.zero_point("output_zero"))
    # The integer path has no fused activation: the reference ignores it.
    return m.build("SVDF", [x, feature, time, bias, state], [y], options(
        "SVDF", rank=rank, fusedActivationFunction=ACTIVATION["NONE"]), version=3)
