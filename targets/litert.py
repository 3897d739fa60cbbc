"""What LiteRT's reference kernels make of a model's inputs, for `ingot verify --reference litert`.

usage: litert.py MODEL INPUTS OUTPUTS INVOCATIONS

INPUTS holds the invocations one after another, in each the bytes of every input in the model's order;
OUTPUTS gets the outputs in the same way. State is carried from one invocation to the next.
"""
import sys

try:
    import numpy as np
    from ai_edge_litert.interpreter import Interpreter, OpResolverType
except ImportError as missing:
    print(f"no module {missing.name}", file=sys.stderr)
    sys.exit(3)


def main(model: str, inputs: str, outputs: str, invocations: str) -> None:
    interpreter = Interpreter(model_path=model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    with open(inputs, "rb") as given, open(outputs, "wb") as result:
        for _ in range(int(invocations)):
            for tensor in interpreter.get_input_details():
                size = int(np.prod(tensor["shape"])) * np.dtype(tensor["dtype"]).itemsize
                data = given.read(size)
                if len(data) != size:
                    sys.exit(f"input {tensor['name']} has {size} bytes in LiteRT; {len(data)} were left")
                value = np.frombuffer(data, tensor["dtype"]).reshape(tensor["shape"])
                interpreter.set_tensor(tensor["index"], value)
            interpreter.invoke()
            for tensor in interpreter.get_output_details():
                result.write(interpreter.get_tensor(tensor["index"]).tobytes())
        if given.read(1):
            sys.exit("LiteRT's inputs are smaller than the model's")


if __name__ == "__main__":
    main(*sys.argv[1:])
