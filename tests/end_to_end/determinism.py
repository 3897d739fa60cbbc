#!/usr/bin/env python3
"""The same bytes from another folder, another locale, another time zone and another day's clock."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS  # noqa: E402
from project import TestFailure, finish, program, run, work_folder  # noqa: E402

CONFIGURATION = """\
module: {name: same, type: cmake}
test: {enabled: true}
memory:
  dump_residency_json: true
  tensors:
    - {type: constant, attributes: {memory: mram, constant_destination_memory: dtcm}}
"""


def module_digest(module: Path) -> dict[str, str]:
    return {str(path.relative_to(module)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(module.rglob("*")) if path.is_file()}


def convert(folder: Path, model: Path, clock=(), **environment) -> dict[str, str]:
    """Converts inside `folder`, with the model, the configuration and the result there."""
    folder.mkdir(parents=True)
    shutil.copy(model, folder / model.name)
    (folder / "config.yaml").write_text(CONFIGURATION)
    cleared = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "TZ"))}
    run([*clock, program(), "convert", model.name, "--path", "config.yaml", "-o", "out"], cwd=folder,
        env={**cleared, **environment})
    return module_digest(folder / "out" / "same")


def german_locale(folder: Path) -> dict[str, str]:
    """The environment of a locale with a decimal comma, compiled for this test."""
    run(["localedef", "--inputfile=de_DE", "--charmap=UTF-8", folder / "de_DE.UTF-8"])
    environment = {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    comma = run(["/usr/bin/printf", "%.1f", "0,5"], env={**os.environ, **environment})
    if comma.stdout != "0,5":
        raise TestFailure(f"the locale is not in force: {comma.stdout}")
    return environment


def main():
    folder = work_folder("determinism")
    failures, tried = [], 0
    german = german_locale(folder)
    models = sorted(OWN_MODELS.glob("*.tflite"))
    for model in models:
        first = convert(folder / model.stem / "a", model)
        others = {
            "again": convert(folder / model.stem / "b", model),
            "deeper folder": convert(folder / model.stem / "a folder" / "ünïcode" / "deep", model),
            "locale": convert(folder / model.stem / "de", model, **german),
            "C locale": convert(folder / model.stem / "c", model, LC_ALL="C"),
            "time zone": convert(folder / model.stem / "tz", model, TZ="Pacific/Kiritimati"),
            "day": convert(folder / model.stem / "day", model, clock=["faketime", "2031-05-06 07:08:09"]),
            "environment": convert(folder / model.stem / "env", model, SOURCE_DATE_EPOCH="1", HOME="/nowhere",
                                   COLUMNS="20", NO_COLOR="1", MALLOC_PERTURB_="165"),
        }
        for what, other in others.items():
            tried += 1
            different = sorted(name for name in first.keys() | other.keys() if first.get(name) != other.get(name))
            if different:
                failures.append(f"{model.name}, {what}: {', '.join(different)}")
        texts = [path.read_bytes() for path in (folder / model.stem / "a" / "out").rglob("*") if path.is_file()]
        if any(str(folder).encode() in text for text in texts):
            failures.append(f"{model.name}: the module tells where it was made")
    finish("determinism", failures, tried)


if __name__ == "__main__":
    main()
