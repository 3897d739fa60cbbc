#!/usr/bin/env python3
"""Code, constants, RAM, stack and instructions of every model on cores under QEMU, beside what others need.

    bench/target_sizes.py                      a Markdown table for Cortex-M4 and Cortex-M55 at -O2
    bench/target_sizes.py --core cortex-m0     for another core (the peers' figures are for these two only)
    bench/target_sizes.py --cflags=-Os MODEL…

Needs `ingot` (build/ingot, or $INGOT_PROGRAM) and what `ingot verify` needs. Counts are exact and repeatable with
the same compiler. Third-party models are measured where they are on this machine.
"""

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "lib"))

from cases import all_models, find_case  # noqa: E402
from project import work_folder  # noqa: E402
from targets import arena_bytes, verify, write_npz  # noqa: E402

HEAD = """| model | | .text | .rodata | arena | RAM | stack | init | inference |
|---|---|---|---|---|---|---|---|---|"""


def number(value) -> str:
    return "" if value is None else f"{value:,}"


def line(model: str, who: str, figures: list) -> str:
    return f"| {model} | {who} | " + " | ".join(number(value) for value in figures) + " |"


def measure(case, core: str, folder: Path, arguments: list[str]) -> list[int]:
    vectors = write_npz(case, case.vectors[0], folder / f"{case.identifier}.npz")
    # Memories without a limit, constants in flash: what the peers have.
    platform = f"generic_{core.replace('-', '_')}"
    result = verify(case.model, [vectors], "--on", core, *arguments, keys={"platform.name": platform})
    measured, sizes = result["measured"], result["measured"]["sizes"]
    return [sizes["text"], sizes["rodata"], arena_bytes(result), sizes["data"] + sizes["bss"],
            max(measured["peak_stack"].values()), measured["instructions"]["init"][0],
            measured["instructions"]["run"][0]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("models", nargs="*", help="file names; without any all that are here")
    parser.add_argument("--core", action="append")
    parser.add_argument("--cflags", default="-O2")
    arguments = parser.parse_args()
    folder = work_folder("bench/target_sizes")
    peers = json.loads((Path(__file__).parent / "peers.json").read_text())["rows"]
    cases = [find_case(model) for model in arguments.models] or all_models()
    for core in arguments.core or ["cortex-m4", "cortex-m55"]:
        print(f"\n{core}, {arguments.cflags}:\n\n{HEAD}")
        for case in cases:
            figures = measure(case, core, folder, [f"--cflags={arguments.cflags}"])
            print(line(case.name, "Ingot", figures), flush=True)
            for peer in peers:
                if (peer["model"], peer["core"]) == (case.name, core):
                    print(line("", peer["peer"], [peer["text"], peer["rodata"], peer["arena"], None,
                                                  peer["stack"], peer["init_instructions"],
                                                  peer["instructions"]]))


if __name__ == "__main__":
    main()
