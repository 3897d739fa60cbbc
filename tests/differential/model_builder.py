"""Builds one-operator .tflite files with the public schema's object API."""

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

TYPES = {
    "float32": schema.TensorType.FLOAT32,
    "int8": schema.TensorType.INT8,
    "int16": schema.TensorType.INT16,
    "int32": schema.TensorType.INT32,
}


class ModelBuilder:
    def __init__(self):
        self.tensors = []
        self.buffers = [schema.BufferT()]  # buffer 0 is the empty one
        self.inputs = []

    def tensor(self, dtype: str, shape, scale=None, zero_point=0, *, axis=0, data=None,
               variable=False, model_input=False) -> int:
        """Adds a tensor and gives its index. `scale`: a number, or one per index of `axis`."""
        tensor = schema.TensorT()
        tensor.type = TYPES[dtype]
        tensor.shape = [int(n) for n in shape]
        tensor.name = f"tensor_{len(self.tensors)}"
        tensor.isVariable = variable
        if scale is not None:
            scales = np.atleast_1d(np.asarray(scale, np.float32))
            quantization = schema.QuantizationParametersT()
            quantization.scale = scales
            quantization.zeroPoint = np.full(len(scales), zero_point, np.int64)
            quantization.quantizedDimension = axis
            tensor.quantization = quantization
        if data is not None:
            values = np.ascontiguousarray(data, dtype)
            assert values.size == np.prod(shape), (values.shape, shape)
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(values.tobytes(), np.uint8)
            tensor.buffer = len(self.buffers)
            self.buffers.append(buffer)
        self.tensors.append(tensor)
        index = len(self.tensors) - 1
        if model_input:
            self.inputs.append(index)
        return index

    def build(self, operator: str, inputs, outputs, options=None, version=1) -> bytes:
        """The file: one operator; `options` is one of the schema's option objects."""
        code = schema.OperatorCodeT()
        code.builtinCode = getattr(schema.BuiltinOperator, operator)
        code.deprecatedBuiltinCode = min(code.builtinCode, 127)
        code.version = version

        step = schema.OperatorT()
        step.inputs, step.outputs = list(inputs), list(outputs)
        if options is not None:
            name = type(options).__name__.removesuffix("T")
            step.builtinOptionsType = getattr(schema.BuiltinOptions, name)
            step.builtinOptions = options

        graph = schema.SubGraphT()
        graph.name = "main"
        graph.tensors = self.tensors
        graph.inputs, graph.outputs = self.inputs, list(outputs)
        graph.operators = [step]

        model = schema.ModelT()
        model.version = 3
        model.description = f"one {operator}"
        model.operatorCodes, model.subgraphs, model.buffers = [code], [graph], self.buffers
        writer = flatbuffers.Builder(1024)
        writer.Finish(model.Pack(writer), b"TFL3")
        return bytes(writer.Output())


def options(kind: str, **fields):
    """An option object of the schema: options("Pool2D", strideW=1, …)."""
    result = getattr(schema, kind + "OptionsT")()
    for name, value in fields.items():
        assert hasattr(result, name), (kind, name)
        setattr(result, name, value)
    return result


PADDING = {"SAME": schema.Padding.SAME, "VALID": schema.Padding.VALID}
ACTIVATION = {name: getattr(schema.ActivationFunctionType, name)
              for name in ("NONE", "RELU", "RELU_N1_TO_1", "RELU6")}
