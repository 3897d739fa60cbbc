#!/usr/bin/env python3
"""Holds docs/module.md against the inventory of the generated module (tests/data/generated-module.json) and headers.

Every public and advanced declaration has a row with its stability, statuses with their values; and every name in the
tables is in the headers of one of the modules that have them all.
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS  # noqa: E402
from project import ROOT, finish, ingot, settings, work_folder  # noqa: E402

PAGE = ROOT / "docs" / "module.md"
INVENTORY = json.loads((ROOT / "tests" / "data" / "generated-module.json").read_text())
STAGED = "[{type: constant, attributes: {memory: MRAM, constant_destination_memory: DTCM}}]"
CUSTOM = ROOT / "examples" / "custom-operator" / "moving_average.tflite"
VARIANTS = [{"test.enabled": True}, {"memory.allocate_arenas": False}, {"memory.tensors": STAGED},
            {"model.path": CUSTOM, "custom_operators": "[{name: acme.MovingAverage}]"}]


def general(name: str) -> str:
    """A name of the fixture as the page writes it."""
    name = re.sub(r"^aot_arena_(persistent_|const_)?dtcm_(size|alignment)$", r"<arena>_\2", name)
    name = re.sub(r"^aot_(input|output)_\d_", r"<p>_\1_<i>_", name)
    name = re.sub(r"^AOT_PUT_(CODE_)?IN_[A-Z]+?(_INIT)?$", r"<P>_PUT_\1IN_<MEMORY>\2", name)
    name = re.sub(r"^AOT_PRINTF\(.*", "<P>_PRINTF", name)
    return re.sub(r"\bAOT_", "<P>_", re.sub(r"\baot_", "<p>_", name))


def squeezed(declaration: str) -> str:
    return re.sub(r"\s*\*\s*", "*", declaration)


def inventory() -> dict[str, str]:
    """Public and advanced names, as the page writes them, with their stability."""
    found = {}
    for header in INVENTORY["headers"].values():
        for function in header.get("functions", []):
            found[squeezed(general(function["signature"]))] = function["stability"]
        for kind in ("enums", "structs", "callbacks"):
            for name, facts in header.get(kind, {}).items():
                found[general(name)] = facts.get("stability", "public")
        for kind in ("data", "macros"):
            for facts in header.get(kind, []):
                found[general(facts["name"])] = facts["stability"]
    for facts in INVENTORY["external_arenas"]:
        found[squeezed(general(facts["declaration"]))] = facts["stability"]
    # The reference's text lost a star of this one.
    view = "<p>_arena_buffers_table_view(void)"
    found = {name.replace(f"const void*const {view}", f"const void*const*{view}"): stability
             for name, stability in found.items()}
    return {name: stability for name, stability in found.items() if stability != "internal"}


def rows() -> dict[str, str]:
    """The names of the page's tables with their stability, or with a status's value."""
    found = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 3 or not (cells[1] in ("public", "advanced") or cells[1].isdigit()):
            continue
        found |= {squeezed(name): cells[1] for name in re.findall(r"`([^`]+)`", cells[0])}
    return found


def headers(folder: Path) -> str:
    text = ""
    for number, keys in enumerate(VARIANTS):
        keys = {"model.path": OWN_MODELS / "demo.tflite", **keys}
        ingot("convert", "-q", "-o", folder / str(number), *settings(keys))
        text += "".join(path.read_text() for path in sorted((folder / str(number)).rglob("*.h")))
    return general_text(text)


def general_text(text: str) -> str:
    return squeezed(re.sub(r"\b(?:aot|AOT)\w*", lambda word: general(word.group()), text))


def main():
    page, promised, failures = rows(), inventory(), []
    for name, stability in promised.items():
        if page.get(name) != stability:
            failures.append(f"{name} is {stability}, and the page says {page.get(name)}")
    text = headers(work_folder("api_reference"))
    for name, column in page.items():
        wanted = f"{name} = {column}" if column.isdigit() else name
        if wanted not in text:
            failures.append(f"no header has {wanted}")
    statuses = INVENTORY["headers"]["aot_tensors.h"]["enums"]["aot_status_t"]["members"]
    if sum(column.isdigit() for column in page.values()) != len(statuses):
        failures.append("the page hasn't all statuses")
    finish("API reference", failures, len(promised) + len(page))


if __name__ == "__main__":
    main()
