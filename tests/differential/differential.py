#!/usr/bin/env python3
"""Compares random one-operator models with TensorFlow Lite Micro, byte for byte.

    differential.py CONV_2D --cases 40          cases 0..39 of one operator through `ingot run`
    differential.py CONV_2D --case 17           one case, its parameters printed
    differential.py --list                      the operators
    differential.py CONV_2D --case 17 --keep F  also writes the model to F
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

import draw  # noqa: E402
import operators_arithmetic  # noqa: E402,F401  (they register their operators)
import operators_pointwise  # noqa: E402,F401
import operators_weights  # noqa: E402,F401
from cases import Case  # noqa: E402
from project import finish, work_folder  # noqa: E402
from reference import reference_vectors  # noqa: E402
from runner import run_case  # noqa: E402


def case_of(made: draw.RandomCase, folder: Path) -> Case:
    """The case with the reference's outputs; its model in a file."""
    path = folder / f"{made.operator.lower()}_{made.number}.tflite"
    path.write_bytes(made.model)
    vectors = reference_vectors(made.reference_model, seed=made.number, vectors=1,
                                invocations=max(3, made.invocations))
    return Case(f"{made.operator} case {made.number}", path, vectors)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("operator", nargs="?", choices=sorted(draw.OPERATORS))
    parser.add_argument("--cases", type=int, default=30, help="how many")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--case", type=int, help="only this one, in detail")
    parser.add_argument("--keep", type=Path, help="write the model of --case here")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(draw.OPERATORS))
        return
    if arguments.operator is None:
        parser.error("which operator?")
    numbers = range(arguments.first, arguments.first + arguments.cases)
    if arguments.case is not None:
        numbers = [arguments.case]

    folder = work_folder(f"differential/{arguments.operator.lower()}")
    failures = []
    for number in numbers:
        made = draw.make(arguments.operator, number)
        if arguments.case is not None:
            print(made.parameters)
            if arguments.keep:
                arguments.keep.write_bytes(made.model)
        print(f"case {number}", flush=True)  # the reference may end the process: this says where
        problems = run_case(case_of(made, folder), folder)
        failures += [f"{problem}\n    {made.parameters}\n    again: {Path(__file__).name} "
                     f"{arguments.operator} --case {number}" for problem in problems]
    finish(f"differential {arguments.operator}", failures, len(numbers))


if __name__ == "__main__":
    main()
