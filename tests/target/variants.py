#!/usr/bin/env python3
"""The demo model with other settings on the smallest core and on the one with vectors: every kind of schedule,
plan and ownership of memory, another prefix, other optimisations, and on the host."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import find_case  # noqa: E402
from project import TestFailure, finish, work_folder  # noqa: E402
from targets import measurement_failures, verify, write_npz  # noqa: E402

STAGED = ("[{type: constant, attributes: {memory: MRAM, constant_destination_memory: DTCM}}, "
          "{type: persistent, attributes: {memory: SRAM}}]")
SEVERAL = ("[{type: constant, attributes: {memory: MRAM}}, {type: scratch, attributes: {memory: SRAM}}, "
           "{type: CONV_2D, attributes: {memory: SRAM}}]")
VARIANTS = {
    "static": {"module.schedule": "static"},
    "prefix": {"module.prefix": "kws_1", "module.name": "a-module.of+many"},
    "several memories": {"memory.tensors": SEVERAL},
    "staged": {"memory.tensors": STAGED},
    "staged by hand": {"memory.tensors": STAGED, "memory.auto_hydrate_constants": False},
    "external": {"memory.allocate_arenas": False},
    "external, staged by hand, static": {
        "memory.tensors": STAGED, "memory.allocate_arenas": False, "memory.auto_hydrate_constants": False,
        "module.schedule": "static"},
    "Zephyr": {"module.type": "zephyr"},
}
FLAGS = {"size": "-Os", "link time": "-O2 -flto", "none": "-O0"}
PLACES = ["cortex-m0", "cortex-m55"]


def main():
    case = find_case("demo.tflite")
    folder = work_folder("target/variants")
    files = [write_npz(case, vector, folder / f"vector{number}.npz")
             for number, vector in enumerate(case.vectors)]
    invocations = sum(len(vector.inputs) for vector in case.vectors)
    runs = [(f"{name}, {place}", ["--on", place], keys)
            for name, keys in VARIANTS.items() for place in PLACES]
    runs += [(f"{name}, {place}", ["--on", place, f"--cflags={flags}"], {})
             for name, flags in FLAGS.items() for place in PLACES]
    hardest = "external, staged by hand, static"
    runs += [(f"{hardest}, sanitized", ["--sanitize"], VARIANTS[hardest]),
             (f"{hardest}, host", ["--compiler", "clang"], VARIANTS[hardest])]

    def one(run) -> list[str]:
        name, arguments, keys = run
        try:
            result = verify(case.model, files, *arguments, keys=keys)
        except TestFailure as failure:
            return [f"{name}: {failure}"]
        wrong = [] if result["equal"] and result["invocations"] == invocations else ["wrong results"]
        if result["measured"]:
            wrong += measurement_failures(result, invocations)
        return [f"{name}: {what}" for what in wrong]

    with ThreadPoolExecutor(2) as pool:
        failures = [wrong for result in pool.map(one, runs) for wrong in result]
    finish("target variants", failures, len(runs))


if __name__ == "__main__":
    main()
