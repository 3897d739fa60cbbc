"""Builds .tflite files of several operators, custom ones among them, with the public schema's object API."""

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

ABSENT = -1


class GraphBuilder:
    def __init__(self):
        self.tensors, self.operators, self.codes = [], [], []
        self.buffers = [schema.BufferT()]  # buffer 0 is the empty one

    def tensor(self, dtype: str, shape, *, scale=(), zero_point=(), axis=0, data=None, variable=False) -> int:
        """Adds a tensor and gives its index; `scale` and `zero_point` are lists."""
        tensor = schema.TensorT()
        tensor.name = f"tensor_{len(self.tensors)}"
        tensor.shape, tensor.isVariable = list(shape), variable
        tensor.type = getattr(schema.TensorType, dtype.upper())
        if scale:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale = np.array(scale, np.float32)
            tensor.quantization.zeroPoint = np.array(zero_point, np.int64)
            tensor.quantization.quantizedDimension = axis
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.asarray(data, dtype).tobytes(), np.uint8)
            tensor.buffer = len(self.buffers)
            self.buffers.append(buffer)
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def operator(self, name: str, inputs, outputs, *, custom="", options: bytes = b"",
                 builtin=None) -> int:
        """Adds an operator and gives its number; CUSTOM has the name `custom`. `builtin`: the options of
        another one, as schema.AddOptionsT()."""
        if (name, custom) not in self.codes:
            self.codes.append((name, custom))
        operator = schema.OperatorT()
        operator.opcodeIndex = self.codes.index((name, custom))
        operator.inputs, operator.outputs = list(inputs), list(outputs)
        if options:
            operator.customOptions = np.frombuffer(options, np.uint8)
        if builtin is not None:
            operator.builtinOptions = builtin
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, type(builtin).__name__.removesuffix("T"))
        self.operators.append(operator)
        return len(self.operators) - 1

    def build(self, inputs, outputs, metadata: dict[str, bytes] | None = None) -> bytes:
        graph = schema.SubGraphT()
        graph.name, graph.tensors, graph.operators = "main", self.tensors, self.operators
        graph.inputs, graph.outputs = list(inputs), list(outputs)
        model = schema.ModelT()
        model.version, model.description, model.buffers, model.subgraphs = 3, "a graph", self.buffers, [graph]
        model.metadata = []
        for name, data in (metadata or {}).items():
            entry, buffer = schema.MetadataT(), schema.BufferT()
            buffer.data = np.frombuffer(data, np.uint8)
            entry.name, entry.buffer = name, len(self.buffers)
            self.buffers.append(buffer)
            model.metadata.append(entry)
        model.operatorCodes = []
        for name, custom in self.codes:
            code = schema.OperatorCodeT()
            code.builtinCode = getattr(schema.BuiltinOperator, name)
            code.deprecatedBuiltinCode, code.version = min(code.builtinCode, 127), 1
            code.customCode = custom or None
            model.operatorCodes.append(code)
        writer = flatbuffers.Builder(1024)
        writer.Finish(model.Pack(writer), b"TFL3")
        return bytes(writer.Output())
