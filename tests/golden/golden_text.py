#!/usr/bin/env python3
"""Holds generated text against reviewed copies in this folder.

    golden_text.py             compares and prints what differs
    golden_text.py --refresh   takes the present text; read the diff before you commit it

commands/ is what some commands print; demo/ is the module of tests/models/demo.tflite with default
settings, a self-test and the residency report. Left out are the files that repeat others: the weights, the test vectors, the licence, and the kernels,
which come from kernels/.
"""

import argparse
import difflib
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS  # noqa: E402
from project import finish, ingot, work_folder  # noqa: E402

HERE = Path(__file__).parent
FOLDERS = ["demo", "commands"]
LEFT_OUT = {"LICENSE", "src/aot_constants.c", "src/aot_kernels.c", "src/aot_test_case.c"}


def generated(folder: Path) -> dict[str, str]:
    """Every text by its path below this folder."""
    model = OWN_MODELS / "demo.tflite"
    ingot("convert", model, "-o", folder, "--module.name=demo", "--test.enabled",
          "--memory.dump-residency-json")
    module = folder / "demo"
    texts = {f"demo/{path.relative_to(module)}": path.read_text() for path in sorted(module.rglob("*"))
             if path.is_file() and str(path.relative_to(module)) not in LEFT_OUT}
    texts["commands/inspect-demo.txt"] = ingot("inspect", model.name, cwd=model.parent).stdout
    for name in ("demo", "ds_cnn_int8"):
        texts[f"commands/plan-{name}.txt"] = ingot("inspect", f"{name}.tflite", "--plan", cwd=model.parent,
                                                   env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    for command in ("operators", "transforms"):
        texts[f"commands/{command}.txt"] = ingot(command).stdout
    texts["commands/platforms.txt"] = ingot("platforms", "list").stdout
    return texts


def committed() -> dict[str, str]:
    paths = [path for folder in FOLDERS for path in (HERE / folder).rglob("*")]
    return {str(path.relative_to(HERE)): path.read_text() for path in sorted(paths) if path.is_file()}


def refresh(texts: dict[str, str]) -> None:
    for folder in FOLDERS:
        shutil.rmtree(HERE / folder, ignore_errors=True)
    for name, text in texts.items():
        (HERE / name).parent.mkdir(parents=True, exist_ok=True)
        (HERE / name).write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--refresh", action="store_true")
    arguments = parser.parse_args()
    texts = generated(work_folder("golden_text"))
    if arguments.refresh:
        refresh(texts)
        print(f"{len(texts)} files refreshed")
        return
    expected, failures = committed(), []
    for name in sorted(texts.keys() | expected.keys()):
        got, wanted = texts.get(name, ""), expected.get(name, "")
        if got != wanted or (name in texts) != (name in expected):
            difference = difflib.unified_diff(wanted.splitlines(), got.splitlines(), f"reviewed/{name}",
                                              f"generated/{name}", lineterm="", n=1)
            failures.append(f"{name} is not as reviewed\n" + "\n".join(list(difference)[:40]))
    finish("golden text", failures, len(texts))


if __name__ == "__main__":
    main()
