#!/usr/bin/env python3
"""What the planner makes of each model: scratch bytes of first-fit planning, the bounds, what is achieved.

    bench/plan_table.py [--ingot build/ingot] [MODEL...]

A line for each model, as in docs/planner.md: `greedy` is `--memory.planner greedy` (largest first, nothing laid over
anything, no transforms that change the graph), `live` the most bytes live in one step, `overlap` the bound when outputs
may lie over dying inputs, `achieved` what the default planner needs and whether that is proven, and the time of the
whole conversion over the start of a process. Budgets are ignored: the platform is `host`. Bytes are exact; times are not.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from convert_time import ROOT, default_models


def plan(ingot: str, model: Path, planner: str) -> tuple[dict, float]:
    """The summary of a conversion that writes nothing, and its seconds."""
    command = [ingot, "convert", str(model), "--dry-run", "--json", "-q", "--platform.name=host",
               f"--memory.planner={planner}"]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    elapsed = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"status {done.returncode}: {' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout), elapsed


def scratch(summary: dict, key: str) -> int:
    return sum(arena[key] for arena in summary["arenas"] if arena["role"] == "scratch")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ingot", default=str(ROOT / "build" / "ingot"))
    parser.add_argument("models", nargs="*", type=Path, metavar="MODEL")
    arguments = parser.parse_args()
    start = time.perf_counter()
    subprocess.run([arguments.ingot, "version"], capture_output=True, check=True)
    process = time.perf_counter() - start
    print("| model | greedy | live | overlap | achieved | ms |\n|---|--:|--:|--:|--:|--:|")
    for model in arguments.models or default_models():
        greedy, _ = plan(arguments.ingot, model, "greedy")
        best, seconds = plan(arguments.ingot, model, "best")
        proven = all(arena["optimal"] for arena in best["arenas"] if arena["role"] == "scratch")
        print(f"| {model.stem} | {scratch(greedy, 'used'):,} | {scratch(best, 'lower_bound'):,} | "
              f"{scratch(best, 'overlap_lower_bound'):,} | {scratch(best, 'used'):,} {'proven' if proven else 'open'} | "
              f"{1000 * max(0.0, seconds - process):.0f} |")


if __name__ == "__main__":
    main()
