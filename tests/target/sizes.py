#!/usr/bin/env python3
"""The keyword-spotting module is no larger than a program that calls CMSIS-NN's kernels directly.

Code and arena of kws_ref_model.tflite, and of the project's own ds_cnn_int8.tflite which has its structure, at -O2
on Cortex-M4 and Cortex-M55, against the peer's figures in bench/peers.json. Init does nothing but set up the
context: without staged constants its cost does not grow with the weights.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import find_case, find_third_party  # noqa: E402
from project import ROOT, finish, in_ci, work_folder  # noqa: E402
from targets import arena_bytes, verify, write_npz  # noqa: E402

KWS = "kws_ref_model.tflite"
CORES = ["cortex-m4", "cortex-m55"]
INIT_OF_ALL = 200  # instructions of init beside those of tensors and operators
INIT_OF_EACH = 30  # … and of each of them


def peer(core: str) -> dict:
    rows = json.loads((ROOT / "bench" / "peers.json").read_text())["rows"]
    return next(row for row in rows if (row["model"], row["core"], row["peer"])
                == ("kws_ref_model", core, "direct CMSIS-NN"))


def check(file: str, core: str, folder: Path) -> list[str]:
    case = find_case(file)
    vectors = write_npz(case, case.vectors[0], folder / f"{case.identifier}.npz")
    result = verify(case.model, [vectors], "--on", core, "--keep", folder / f"{case.identifier}-{core}",
                    keys={"platform.name": f"generic_{core.replace('-', '_')}"})
    plan = json.loads((folder / f"{case.identifier}-{core}" / "module" / "aot_plan.json").read_text())
    entries = len(plan["tensors"]) + len(plan["operators"])
    figures = {
        ".text": (result["measured"]["sizes"]["text"], peer(core)["text"]),
        "arena": (arena_bytes(result), peer(core)["arena"]),
        "init": (result["measured"]["instructions"]["init"][0], INIT_OF_ALL + INIT_OF_EACH * entries)}
    print(f"{case.name}, {core}: " + ", ".join(f"{name} {got} of {most}" for name, (got, most) in figures.items()))
    return [f"{case.name}, {core}: {name} is {got}, at most {most}"
            for name, (got, most) in figures.items() if got > most]


def main():
    folder = work_folder("target/sizes")
    files = ["ds_cnn_int8.tflite"]
    if in_ci() or find_third_party(KWS):
        files.append(KWS)
    failures = [wrong for file in files for core in CORES for wrong in check(file, core, folder)]
    finish("target sizes", failures, len(files) * len(CORES))


if __name__ == "__main__":
    main()
