#!/usr/bin/env python3
"""CMSIS packs: the schema, the rules of the pack tools, the archives, and what a project compiles."""

import os
import re
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from cmsis_pack_manager import Cache

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS, find_third_party, golden_case  # noqa: E402
from modules import (DRIVER, Module, Toolchain, compile_files, convert, glue_source, run_program,  # noqa: E402
                     table_source)
from project import SKIPPED, TestFailure, finish, in_ci, ingot, run, settings, work_folder  # noqa: E402

NAME = re.compile(r"^[-_A-Za-z0-9]+$")
VERSION = re.compile(r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$")
CORES = [f"Cortex-M{core}" for core in ("0", "0+", "3", "4", "7", "23", "33", "55", "85")]
# The suffixes of files that the pack tools expect by category (M337).
SUFFIXES = {"header": {".h"}, "source": {".c"}, "doc": {".md"}, "other": {".json", ".bin"}}


def require(condition: bool, what: str) -> None:
    if not condition:
        raise TestFailure(what)


def description_file(folder: Path) -> Path:
    files = [path for path in folder.rglob("*") if path.suffix.lower() == ".pdsc"]
    require(len(files) == 1 and files[0].parent == folder, f"M206: descriptions {files}")
    require(files[0].suffix == ".pdsc", "M397: the suffix is in lower case")
    return files[0]


def schema(pdsc: Path, xsd: Path) -> None:
    run(["xmllint", "--noout", "--schema", xsd, pdsc])
    require("<!DOCTYPE" not in pdsc.read_text(), "there is a document type")


def head(pdsc: Path, root: ElementTree.Element) -> None:
    order = [child.tag for child in root]
    require(order == ["vendor", "name", "description", "url", "license", "releases", "conditions",
                      "components"], f"order of elements: {order}")
    vendor, name = root.findtext("vendor"), root.findtext("name")
    require(bool(NAME.match(vendor) and NAME.match(name)), f"M511: {vendor}.{name}")
    require(pdsc.name == f"{vendor}.{name}.pdsc", f"M207: {pdsc.name} of {vendor}.{name}")
    url = root.findtext("url")
    require(not url or url.endswith("/"), f"M316: {url}")
    require((pdsc.parent / root.findtext("license")).is_file(), "M323: no licence file")
    for text in [element.text for element in root.iter("description")]:
        require(text.isascii() and 0 < len(text) <= 128, f"M387: description {text!r}")
    releases = root.findall("releases/release")
    require(len(releases) == 1 and bool(VERSION.match(releases[0].get("version"))), "M394: releases")
    require(releases[0].get("date") is None, "a date that depends on the clock")


def component(root: ElementTree.Element, identifier: str) -> ElementTree.Element:
    components = root.findall("components/component")
    require(len(components) == 1, f"{len(components)} components")
    found = components[0]
    require((found.get("Cclass"), found.get("Cgroup"), found.get("Csub")) ==
            ("Machine Learning", "Ingot", identifier), f"component {found.attrib}")
    require(found.get("Cversion") == root.find("releases/release").get("version"), "Cversion")
    require(found.findtext("RTE_Components_h").count("#define") == 1, "RTE_Components_h")
    return found


def condition(root: ElementTree.Element, wanted: list[str]) -> None:
    defined = {row.get("id"): row for row in root.findall("conditions/condition")}
    used = {element.get("condition") for element in root.iter() if element.get("condition")}
    require(set(defined) == used, f"M331, M332: conditions {set(defined)}, used {used}")
    cores = [row.get("Dcore") for row in defined[used.pop()].findall("accept")]
    require(cores == wanted, f"cores {cores}")


def files(folder: Path, found: ElementTree.Element) -> None:
    rows = [(row.get("category"), row.get("name")) for row in found.findall("files/file")]
    require(rows[0] == ("include", "includes-api/"), f"M340: {rows[0]} is first")
    for row in found.findall("files/file"):
        category, name = row.get("category"), row.get("name")
        require(not name.startswith("/") and ".." not in name and "\\" not in name, f"M326: {name}")
        require(row.get("attr") is None, f"M357: {name} has an attribute")
        if category == "include":
            continue
        require((folder / name).is_file(), f"M323: no file {name}")
        require(Path(name).suffix in SUFFIXES[category], f"M337: {name} as {category}")
        require(category != "source" or row.get("language") == "c", f"language of {name}")
    names = [name for _, name in rows]
    require(len(names) == len(set(names)), "a file twice")
    def there(pattern):
        return {path.relative_to(folder).as_posix() for path in folder.glob(pattern)}
    require({n for c, n in rows if c == "source"} == there("src/*.c"), "not every C file is listed")
    require({n for c, n in rows if c == "other"} == there("*.json") | there("*.bin"), "other files")
    headers = {n for c, n in rows if c == "header"}
    prefix = next(n for n in headers if n.endswith("_model.h")).removesuffix("model.h")
    for stem in ("model", "context", "tensors", "platform"):
        require(f"{prefix}{stem}.h" in headers, f"the header {stem} is not listed")


def pack_rules(folder: Path, xsd: Path, vendor: str, identifier: str, version: str, cores: list[str]) -> None:
    pdsc = description_file(folder)
    schema(pdsc, xsd)
    root = ElementTree.parse(pdsc).getroot()
    require(root.findtext("vendor") == vendor, f"vendor {root.findtext('vendor')}")
    require(root.find("releases/release").get("version") == version, "version")
    head(pdsc, root)
    condition(root, cores)
    files(folder, component(root, identifier))


def compiled(folder: Path, modules: list[Module]) -> None:
    """A program of just what the descriptions list, on their include paths."""
    objects, includes = [], []
    for module in modules:
        root = ElementTree.parse(description_file(module.folder)).getroot()
        rows = [(row.get("category"), module.folder / row.get("name")) for row in root.iter("file")]
        here = [path for category, path in rows if category == "include"]
        sources = [path for category, path in rows if category == "source"]
        objects += compile_files(Toolchain("gcc", "c99"), sources, here, folder / module.prefix)
        glue = folder / f"{module.prefix}_glue.c"
        glue.write_text(glue_source(module))
        includes += here
        objects += compile_files(Toolchain("gcc", "c99"), [glue], [*includes, DRIVER], folder / "program")
    (folder / "table.c").write_text(table_source(modules))
    objects += compile_files(Toolchain("gcc", "c99"), [DRIVER / "driver.c", folder / "table.c"], [DRIVER],
                             folder / "program")
    run(["gcc", "-o", folder / "a.out", *objects, "-lm"])
    require(not run_program(folder / "a.out", modules)[0], "wrong results")


def archives(folder: Path, module: Module, model: Path, keys: dict) -> None:
    """A pack has its description at the root, a zip one folder; both depend on nothing but the files."""
    there = {path.relative_to(module.folder).as_posix(): path.read_bytes()
             for path in module.folder.rglob("*") if path.is_file()}
    pdsc = description_file(module.folder).name
    for suffix, top in ((".pack", ""), (".zip", f"{module.folder.name}/")):
        path = folder / f"{Path(pdsc).stem}.1.0.0{suffix}"
        convert_to(path, model, keys)
        first = path.read_bytes()
        convert_to(path, model, {**keys, "force": True}, TZ="Asia/Tokyo")
        require(path.read_bytes() == first, f"{suffix}: another archive the second time")
        with zipfile.ZipFile(path) as archive:
            content = {name: archive.read(name) for name in archive.namelist()}
        require(list(content) == sorted(content), f"{suffix}: not in order")
        require(content == {top + name: data for name, data in there.items()}, f"{suffix}: other files")
    refused = ingot("convert", model, "-o", folder / "x.pack", *settings({**keys, "module.type": "cmake"}),
                    expect=2)
    require("cmsis_pack" in refused.stderr, f"a .pack of another type: {refused.stderr}")


def convert_to(path: Path, model: Path, keys: dict, **environment) -> None:
    ingot("convert", model, "-o", path, *settings(keys), env={**os.environ, **environment})


DEVICES = """  <devices>
    <family Dfamily="Family" Dvendor="ARM:82">
      <device Dname="DEVICE_OF_THE_TEST">
        <processor Dcore="Cortex-M55" DcoreVersion="r0p1"/>
        <memory name="RAM" access="rw" start="0x20000000" size="0x1000" default="1"/>
      </device>
    </family>
  </devices>
</package>"""


def opened(folder: Path, pack: Path) -> None:
    """cmsis-pack-manager finds the description in the pack and reads it. It indexes devices and
    passes over what it cannot read, so a device is added to see that it read all the rest."""
    with zipfile.ZipFile(pack) as archive:
        require(Cache.find_pdsc(archive) is not None, "no description is found in the pack")
        archive.extractall(folder / "unpacked")
    pdsc = description_file(folder / "unpacked")
    for device in (False, True):
        index = folder / f"index-{device}"
        index.mkdir()
        if device:
            pdsc.write_text(pdsc.read_text().replace("</package>", DEVICES))
        cache = Cache(True, True, json_path=str(index), data_path=str(index / "data"))
        cache.add_pack_from_path(str(pdsc))
        found = [name for name in cache.index if name != "version"]
        require(found == (["DEVICE_OF_THE_TEST"] if device else []), f"devices {found}")


def refusals(folder: Path, model: Path, keys: dict) -> None:
    """Names that no pack can have."""
    for key, value, word in (("module.name", "n" * 33, "32"), ("module.name", "___", "letter"),
                             ("module.vendor", "", "vendor")):
        done = ingot("convert", model, "-o", folder, *settings({**keys, key: value}), expect=2)
        require(word in done.stderr and key in done.stderr, f"{key}={value}: {done.stderr}")
    require(not folder.exists(), "something was written")


def main():
    xsd = find_third_party("PACK.xsd")
    if xsd is None:
        print("PACK.xsd is not here: scripts/fetch-models.sh gets it")
        sys.exit(1 if in_ci() else SKIPPED)
    folder = work_folder("pack_module")
    demo, ds_cnn = (golden_case(OWN_MODELS / f"{name}.tflite", OWN_MODELS / "golden" / name)
                    for name in ("demo", "ds_cnn_int8"))
    keys = {"module.type": "cmsis_pack", "memory.dump_residency_json": True}
    first = convert(demo, "first", folder, {**keys, "test.enabled": True})
    second = convert(ds_cnn, "second", folder, {
        **keys, "module.name": "2nd-net+x.1", "module.vendor": "Söhne & Co.", "model.version": "v2.5-rc<1>",
        "model.name": "A very long name with <specials> & \"quotes\", é, and more than 128 characters in all: "
                      + "x" * 100,
        "platform.name": "apollo4p_evb", "memory.allocate_arenas": False})
    third = convert(demo, "third", folder, {**keys, "platform.name": "host", "model.version": "v1.2"})
    portable = convert(demo, "portable", folder, {**keys, "kernels.optimize": "portable"})
    plain = {**keys, "module.name": "first", "module.prefix": "first", "test.enabled": True}
    attempts = {
        "rules, M55": lambda: pack_rules(first.folder, xsd, "Ambiq", "first", "1.0.0", CORES[7:]),
        "rules, M4, odd names": lambda: pack_rules(
            second.folder, xsd, "S__hne___Co_", "2nd_net_x_1", "1.0.0",
            [f"Cortex-M{core}" for core in ("4", "7", "33", "55", "85")]),
        "rules, generic": lambda: pack_rules(third.folder, xsd, "Generic", "third", "1.2.0", CORES),
        "rules, portable": lambda: pack_rules(portable.folder, xsd, "Ambiq", "portable", "1.0.0", CORES),
        "compiled": lambda: compiled(folder / "compiled", [first, second, third]),
        "archives": lambda: archives(folder, first, demo.model, plain),
        "opened": lambda: opened(folder / "opened", folder / "Ambiq.first.1.0.0.pack"),
        "refusals": lambda: refusals(folder / "refused", demo.model, plain)}
    failures = []
    for what, action in attempts.items():
        try:
            action()
        except TestFailure as failure:
            failures.append(f"{what}: {failure}")
    finish("pack module", failures, len(attempts))


if __name__ == "__main__":
    main()
