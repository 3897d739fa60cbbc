#!/usr/bin/env python3
"""The examples of docs/integration: each is converted, built as far as tools go, and run."""

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import kconfiglib
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS  # noqa: E402
from cmake_project import build_all, configure  # noqa: E402
from project import ROOT, TestFailure, finish, ingot, run, work_folder  # noqa: E402
from zephyr_stand_in import STAND_IN, Configuration  # noqa: E402

EXAMPLES = ROOT / "examples" / "integration"
MODEL = OWN_MODELS / "demo.tflite"
INPUT_BYTES = 768


def require(condition: bool, what: str) -> None:
    if not condition:
        raise TestFailure(what)


def expected(folder: Path) -> str:
    """What the examples print: the largest output for the input that they make up."""
    samples = folder / "samples.bin"
    samples.write_bytes(bytes((i % 255 - 127) % 256 for i in range(INPUT_BYTES)))
    ingot("run", MODEL, "--input", samples, "--output-dir", folder / "out")
    scores = [(value + 128) % 256 for value in (folder / "out" / "output_0.bin").read_bytes()]
    return f"class {scores.index(max(scores))}\n"


def check_output(command: list, wanted: str) -> None:
    said = run(command, timeout=60).stdout
    require(said == wanted, f"it says {said!r}, expected {wanted!r}")


def cmake(folder: Path, wanted: str) -> None:
    configure(folder, folder / "build")
    build_all(folder / "build")
    check_output([folder / "build" / "firmware"], wanted)


def zephyr(folder: Path, wanted: str) -> None:
    configuration = Configuration([folder / "net"], folder / "kconfig", arm=False, fpu=False)
    config, autoconf = configuration.load((folder / "prj.conf").read_text().splitlines())
    configure(folder, folder / "build", f"-DZephyr_DIR={STAND_IN / 'package'}", f"-DDOT_CONFIG={config}",
              f"-DAUTOCONF={autoconf}")
    build_all(folder / "build")
    check_output([folder / "build" / "zephyr_final"], wanted)


def nsx(folder: Path, wanted: str) -> None:
    require((folder / "modules" / "net" / "nsx-module.yaml").is_file(), "no module in modules/net")
    cmake(folder, wanted)


def cmsis_pack(folder: Path, wanted: str) -> None:
    """The project files name the pack, its folder and the component; the listed files make a program."""
    solution = yaml.safe_load((folder / "firmware.csolution.yml").read_text())["solution"]
    project = yaml.safe_load((folder / solution["projects"][0]["project"]).read_text())["project"]
    pack = next(row for row in solution["packs"] if "path" in row)
    pdsc = folder / pack["path"] / (pack["pack"].replace("::", ".") + ".pdsc")
    root = ElementTree.parse(pdsc).getroot()
    component = root.find("components/component")
    name = ":".join(component.get(part) for part in ("Cclass", "Cgroup", "Csub"))
    require(name in [row["component"] for row in project["components"]], f"no component {name}")
    core = re.sub(r"^ARMC", "Cortex-", solution["target-types"][0]["device"])
    require(core in [row.get("Dcore") for row in root.iter("accept")], f"the pack has no {core}")
    files = [(row.get("category"), folder / pack["path"] / row.get("name")) for row in root.iter("file")]
    own = [folder / row["file"] for group in project["groups"] for row in group["files"]]
    sources = own + [path for category, path in files if category == "source"]
    includes = [word for category, path in files if category == "include" for word in ("-I", path)]
    run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", *includes, *sources, "-o", folder / "firmware"])
    check_output([folder / "firmware"], wanted)


def other(folder: Path, wanted: str) -> None:
    said = run(["make", "-C", folder]).stderr
    require("warning" not in said, said)
    check_output(["make", "-s", "-C", folder, "run"], wanted)


def one_program() -> list[str]:
    """Each example has the program in its own folder, to be copied as it is: the same for all, but
    for the way that Zephyr prints."""
    def text(path: Path) -> str:
        return path.read_text().replace("<zephyr/sys/printk.h>", "<stdio.h>").replace("printk(", "printf(")
    copies = sorted(path for name in EXAMPLES.iterdir() for path in name.rglob("main.c"))
    require(len(copies) == len(list(EXAMPLES.iterdir())), f"not one main.c an example: {copies}")
    return [f"{path.relative_to(EXAMPLES)} differs from {copies[0].relative_to(EXAMPLES)}"
            for path in copies if text(path) != text(copies[0])]


def main():
    folder = work_folder("integration")
    wanted = expected(folder)
    attempts: dict[str, Callable[[Path, str], None]] = {
        "cmake": cmake, "zephyr": zephyr, "nsx": nsx, "cmsis-pack": cmsis_pack, "other": other}
    there = {path.name for path in EXAMPLES.iterdir() if path.is_dir()}
    failures = [] if there == set(attempts) else [f"examples {there}"]
    failures += one_program()
    for name, action in attempts.items():
        place = folder / name
        shutil.copytree(EXAMPLES / name, place)
        try:
            ingot("convert", MODEL, "--path", "ingot.yaml", cwd=place)
            action(place, wanted)
        except (TestFailure, kconfiglib.KconfigError) as failure:
            failures.append(f"{name}: {failure}")
    finish("integration", failures, len(attempts) + 1)


if __name__ == "__main__":
    main()
