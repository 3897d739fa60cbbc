"""Runs cases through `ingot run` and compares every byte."""

from pathlib import Path

from cases import Case, Vector
from project import TestFailure, ingot, settings


def first_difference(got: bytes, expected: bytes) -> str | None:
    if got == expected:
        return None
    if len(got) != len(expected):
        return f"{len(got)} bytes, expected {len(expected)}"
    at = next(i for i in range(len(got)) if got[i] != expected[i])
    wrong = sum(a != b for a, b in zip(got, expected))
    return f"byte {at} is {got[at]}, expected {expected[at]}; {wrong} of {len(got)} bytes differ"


def run_vector(case: Case, vector: Vector, folder: Path, *arguments) -> list[str]:
    """One vector through `ingot run`: what is wrong, one sentence for each output."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["run", case.model, "--output-dir", folder / "out", *settings(case.settings), *arguments]
    for index in range(len(vector.inputs[0])):
        path = folder / f"in_{index}.bin"
        path.write_bytes(b"".join(invocation[index] for invocation in vector.inputs))
        command += ["--input", f"{index}={path}"]
    if not vector.inputs[0]:
        command += ["--invocations", len(vector.inputs)]
    try:
        ingot(*command)
    except TestFailure as failure:
        return [str(failure)]
    wrong = []
    for index in range(len(vector.outputs[0])):
        expected = b"".join(invocation[index] for invocation in vector.outputs)
        path = folder / "out" / f"output_{index}.bin"
        found = first_difference(path.read_bytes(), expected) if path.exists() else "no file"
        if found:
            wrong.append(f"output {index}: {found}")
    return wrong


def run_case(case: Case, folder: Path) -> list[str]:
    """Every vector of a case; messages name the case and the vector."""
    return [f"{case.name}, vector {number}: {problem}"
            for number, vector in enumerate(case.vectors)
            for problem in run_vector(case, vector, folder / case.identifier / str(number))]
