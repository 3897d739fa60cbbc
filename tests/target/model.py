#!/usr/bin/env python3
"""A model on every core under QEMU: every vector of its goldens, byte for byte.

    model.py demo.tflite                       on all cores
    model.py demo.tflite --core cortex-m4      on one

A third-party model that is not on this machine is not tried (status 77), but in CI that is a failure.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import find_case  # noqa: E402
from project import TestFailure, finish, work_folder  # noqa: E402
from targets import CORES, measurement_failures, verify, write_npz  # noqa: E402

def stack_failures(result: dict, folder: Path) -> list[str]:
    """What is wrong with the stack that the module's report promises for this core."""
    report = json.loads((folder / "module" / "aot_report.json").read_text())["stack"]
    used = max(result["measured"]["peak_stack"].values())
    if report["core"] != result["on"]:
        return [f"the report's stack is that of {report['core']}"]
    return [] if used <= report["bytes"] else [f"uses {used} bytes of stack, its report says {report['bytes']}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--core", choices=CORES)
    arguments = parser.parse_args()
    case = find_case(arguments.model)
    folder = work_folder(f"target/{case.identifier}")
    files = [write_npz(case, vector, folder / f"vector{number}.npz")
             for number, vector in enumerate(case.vectors)]
    invocations = sum(len(vector.inputs) for vector in case.vectors)
    failures = []
    cores = [arguments.core] if arguments.core else CORES
    for core in cores:
        try:
            result = verify(case.model, files, "--on", core, "--keep", folder / core)
            if result["invocations"] != invocations or not result["equal"]:
                failures.append(f"{core}: {result['outputs']}")
            failures += [f"{core}: {wrong}" for wrong in measurement_failures(result, invocations)]
            failures += [f"{core}: {wrong}" for wrong in stack_failures(result, folder / core)]
        except TestFailure as failure:
            failures.append(f"{core}: {failure}")
    finish(f"target {case.name}", failures, len(cores))


if __name__ == "__main__":
    main()
