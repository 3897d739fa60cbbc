#!/usr/bin/env python3
"""Writes moving_average.tflite: a model of two operators, the first of which is custom.

    make_model.py [FILE]

Needs the packages of scripts/requirements.txt (flatbuffers, ai-edge-litert for the format's schema).
"""

import struct
import sys
from pathlib import Path

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

LENGTH, WINDOW = 12, 3
SCALE, ZERO_POINT = 0.5, -20


def tensor(name: str, shape: list[int]) -> schema.TensorT:
    result = schema.TensorT()
    result.name, result.shape, result.type = name, shape, schema.TensorType.INT8
    result.quantization = schema.QuantizationParametersT()
    result.quantization.scale = np.array([SCALE], np.float32)
    result.quantization.zeroPoint = np.array([ZERO_POINT], np.int64)
    return result


def operator(code: int, inputs: list[int], outputs: list[int], options: bytes = b"") -> schema.OperatorT:
    result = schema.OperatorT()
    result.opcodeIndex, result.inputs, result.outputs = code, inputs, outputs
    if options:
        result.customOptions = np.frombuffer(options, np.uint8)
    return result


def operator_code(builtin: int, custom: str | None = None) -> schema.OperatorCodeT:
    result = schema.OperatorCodeT()
    result.builtinCode, result.deprecatedBuiltinCode, result.version = builtin, min(builtin, 127), 1
    result.customCode = custom
    return result


def build() -> bytes:
    graph = schema.SubGraphT()
    graph.name = "main"
    graph.tensors = [tensor("signal", [1, LENGTH]), tensor("smooth", [1, LENGTH]), tensor("positive", [1, LENGTH])]
    graph.inputs, graph.outputs = [0], [2]
    graph.operators = [operator(0, [0], [1], struct.pack("<i", WINDOW)), operator(1, [1], [2])]

    model = schema.ModelT()
    model.version = 3
    model.description = "a moving average, then RELU"
    model.operatorCodes = [operator_code(schema.BuiltinOperator.CUSTOM, "acme.MovingAverage"),
                           operator_code(schema.BuiltinOperator.RELU)]
    model.buffers = [schema.BufferT()]
    model.subgraphs = [graph]
    writer = flatbuffers.Builder(1024)
    writer.Finish(model.Pack(writer), b"TFL3")
    return bytes(writer.Output())


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("moving_average.tflite")
    path.write_bytes(build())
