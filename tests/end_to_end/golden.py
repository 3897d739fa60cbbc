#!/usr/bin/env python3
"""Every vector and layer of models' goldens through `ingot run`, byte for byte.

    golden.py demo.tflite      one model, the project's own or a third-party one
    golden.py --suite          the one-operator models of tests/data/op-suite

A third-party model that is not on this machine is not tried (status 77), but in CI that is a failure.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import Case, find_case, operator_suite  # noqa: E402
from project import finish, in_ci, work_folder  # noqa: E402
from runner import first_difference, run_case, run_vector  # noqa: E402

NO_TRANSFORMS = '--transforms=[{name: "*", enabled: false}]'


def check_layers(case: Case, folder: Path, *arguments, all_there: bool) -> list[str]:
    """Compares every operator's output of vector 0; with transforms on, some may be gone."""
    layers = folder / "layers"
    wrong = run_vector(case, case.vectors[0], folder, "--layers", layers, *arguments)
    expected = {path.name: path for path in case.layers.glob("*.bin")}
    got = {path.name: path for path in layers.glob("*.bin")}
    if not got:
        wrong.append("no layers were written")
    if extra := sorted(set(got) - set(expected)):
        wrong.append(f"layers that the model has not: {', '.join(extra)}")
    if all_there and (missing := sorted(set(expected) - set(got))):
        wrong.append(f"layers are missing: {', '.join(missing)}")
    for name in sorted(set(got) & set(expected)):
        if found := first_difference(got[name].read_bytes(), expected[name].read_bytes()):
            wrong.append(f"layer {name}: {found}")
    return [f"{case.name}: {problem}" for problem in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model", nargs="?")
    parser.add_argument("--suite", action="store_true")
    arguments = parser.parse_args()
    if arguments.suite:
        folder = work_folder("golden/suite")
        cases = operator_suite()
        finish("operator suite", [wrong for case in cases for wrong in run_case(case, folder)], len(cases))
    if arguments.model is None:
        parser.error("which model?")
    case = find_case(arguments.model)
    folder = work_folder(f"golden/{case.identifier}")
    failures = run_case(case, folder)
    if case.layers:
        failures += check_layers(case, folder / "plain", NO_TRANSFORMS, all_there=True)
        failures += check_layers(case, folder / "default", all_there=False)
    elif in_ci():
        failures.append(f"{case.name}: no goldens of the layers")
    finish(f"golden {case.name}", failures, len(case.vectors))


if __name__ == "__main__":
    main()
