#!/usr/bin/env python3
"""How long `ingot convert` takes for each model, measured against the start of a process.

    bench/convert_time.py [--ingot build/ingot] [--rounds 15] [MODEL...]

Each round starts `ingot version` and then converts every model once, in turn, so that whatever else the
machine does falls on all alike. The table gives medians, and the median of the rounds' differences and
ratios to the process start of the same round. Needs only Python; nothing here is a test.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def default_models() -> list[Path]:
    """The project's own models, then third-party ones where they are."""
    homes = [ROOT / "tests" / "models", ROOT.parent / "shared" / "models", ROOT / ".cache" / "models"]
    if os.environ.get("INGOT_MODELS"):
        homes.append(Path(os.environ["INGOT_MODELS"]))
    found = {}
    for home in homes:
        for path in sorted(home.glob("*.tflite")):
            found.setdefault(path.name, path)
    return list(found.values())


def seconds(*command) -> float:
    start = time.perf_counter()
    done = subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    elapsed = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"status {done.returncode}: {' '.join(map(str, command))}\n{done.stderr.decode()}")
    return elapsed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ingot", type=Path, default=ROOT / "build" / "ingot")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("models", nargs="*", type=Path)
    arguments = parser.parse_args()
    models = arguments.models or default_models()

    starts, times = [], {model: [] for model in models}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.rounds):
            starts.append(seconds(arguments.ingot, "version"))
            for model in models:
                times[model].append(seconds(arguments.ingot, "convert", model, "-o", folder, "--force"))

    print(f"{'':32}{'bytes':>9}{'median ms':>11}{'over start':>12}{'ratio':>8}{'worst ms':>10}")
    print(f"{'process start (ingot version)':32}{'':9}{statistics.median(starts) * 1e3:11.1f}"
          f"{'':20}{max(starts) * 1e3:10.1f}")
    for model in models:
        pairs = list(zip(times[model], starts))
        over = statistics.median(t - s for t, s in pairs)
        ratio = statistics.median(t / s for t, s in pairs)
        print(f"{model.name:32}{model.stat().st_size:9}{statistics.median(times[model]) * 1e3:11.1f}"
              f"{over * 1e3:12.1f}{ratio:8.1f}{max(times[model]) * 1e3:10.1f}")


if __name__ == "__main__":
    main()
