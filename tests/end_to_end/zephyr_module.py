#!/usr/bin/env python3
"""Zephyr modules as Zephyr's build takes them: module.yml, Kconfig, CMake and the sections on Arm."""

import sys
from pathlib import Path

import jsonschema
import kconfiglib
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS, golden_case  # noqa: E402
from cmake_project import build_all, compile_commands, configure, toolchain_file  # noqa: E402
from modules import DRIVER, Module, convert, glue_source, run_program, table_source  # noqa: E402
from project import TestFailure, finish, run, work_folder  # noqa: E402
from zephyr_stand_in import STAND_IN, Configuration, identifier  # noqa: E402

STRINGS = {"type": "array", "items": {"type": "string"}}


def closed(properties: dict) -> dict:
    return {"type": "object", "additionalProperties": False, "properties": properties}


# What zephyr/module.yml may hold in Zephyr 3.6, which stops at any other key.
MODULE_YML = closed({
    "name": {"type": "string"},
    "build": closed({
        "cmake": {"type": "string"}, "kconfig": {"type": "string"},
        "cmake-ext": {"type": "boolean"}, "kconfig-ext": {"type": "boolean"},
        "sysbuild-cmake": {"type": "string"}, "sysbuild-kconfig": {"type": "string"},
        "sysbuild-cmake-ext": {"type": "boolean"}, "sysbuild-kconfig-ext": {"type": "boolean"},
        "depends": STRINGS,
        "settings": closed({key: {"type": "string"} for key in (
            "board_root", "dts_root", "snippet_root", "soc_root", "arch_root", "module_ext_root",
            "sca_root")})}),
    "tests": STRINGS, "samples": STRINGS, "boards": STRINGS, "blobs": {"type": "array"}})
MODULE_YML["required"] = ["name", "build"]


def require(condition: bool, what: str) -> None:
    if not condition:
        raise TestFailure(what)


def module_yml(module: Module) -> None:
    text = (module.folder / "zephyr" / "module.yml").read_text()
    content = yaml.safe_load(text)
    jsonschema.validate(content, MODULE_YML)
    require(content["name"] == module.folder.name, f"module.yml names {content['name']}")
    require(content["build"] == {"cmake": "zephyr", "kconfig": "zephyr/Kconfig"}, "module.yml: build")


def switches(module: Module, arm: bool, libc: bool) -> None:
    """The module's switch: off unless asked for, and depending on Arm only for an Arm core."""
    configuration = Configuration([module.folder], module.folder.parent / "kconfig", arm=True, fpu=True)
    symbol = configuration.symbol("INGOT_" + identifier(module.folder.name).upper())
    require(symbol.type == kconfiglib.BOOL and symbol.nodes[0].prompt is not None, "the switch has no prompt")
    require(not symbol.defaults and symbol.str_value == "n", "the switch is on by default")
    require(bool(symbol.nodes[0].help), "the switch has no help text")
    depends = kconfiglib.expr_str(symbol.direct_dep)
    require(depends == ("ARM" if arm else "y"), f"the switch depends on {depends}")
    selected = [target.name for target, _ in symbol.selects]
    require(selected == (["REQUIRES_FULL_LIBC"] if libc else []), f"the switch selects {selected}")
    for name, other in configuration.kconfig.syms.items():
        if other.nodes and Path(other.nodes[0].filename).parent == module.folder / "zephyr":
            require(name.startswith(symbol.name), f"the symbol {name} has not the module's name")


def image(folder: Path, modules: list[Module], lines: list[str], *arguments, arm: bool) -> Path:
    """Configures an image of the modules under prj.conf's lines; gives its build folder."""
    cmake, autoconf = Configuration([m.folder for m in modules], folder / "kconfig", arm=arm, fpu=arm).load(lines)
    configure(STAND_IN, folder / "build", f"-DMODULES={';'.join(str(m.folder) for m in modules)}",
              f"-DDOT_CONFIG={cmake}", f"-DAUTOCONF={autoconf}", *arguments)
    return folder / "build"


def application(folder: Path, modules: list[Module]) -> list[str]:
    """The driver's program around the modules, as arguments of the stand-in application."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table.c").write_text(table_source(modules))
    glue = []
    for module in modules:
        glue.append(folder / f"{module.prefix}_glue.c")
        glue[-1].write_text(glue_source(module))
    sources = [DRIVER / "driver.c", folder / "table.c", *glue, STAND_IN / "printk.c"]
    return [f"-DAPPLICATION={';'.join(str(s) for s in sources)}", f"-DAPPLICATION_INCLUDES={DRIVER}"]


def symbol_of(module: Module) -> str:
    return f"CONFIG_INGOT_{identifier(module.folder.name).upper()}"


def host_image(folder: Path, modules: list[Module]) -> None:
    """Two modules in an image without CONFIG_ARM, as native_sim is: built and run."""
    on = [f"{symbol_of(module)}=y" for module in modules]
    build = image(folder, modules, on, *application(folder, modules), arm=False)
    build_all(build)
    failures = run_program(build / "app", modules)[0]
    require(not failures, "\n".join(failures))
    quiet = image(folder / "quiet", modules, [*on, "CONFIG_PRINTK=n"],
                  *application(folder / "quiet", modules), arm=False)
    build_all(quiet)


def switched_off(folder: Path, modules: list[Module]) -> None:
    """A module that is not switched on leaves no trace in the build."""
    build = image(folder, modules, [f"{symbol_of(modules[0])}=y"], arm=False)
    build_all(build)
    commands = compile_commands(build)
    require(any(str(modules[0].folder) in file for file in commands), "the first module is not compiled")
    for file, command in commands.items():
        require(str(modules[1].folder) not in file + command, f"the second module is in {command}")
    for module in modules:
        sources = {str(path) for path in (module.folder / "src").glob("*.c")}
        wanted = sources if module is modules[0] else set()
        require(sources & set(commands) == wanted, f"{module.prefix}: not all sources are compiled")


def sections(build: Path, library: str) -> dict[str, dict[str, int]]:
    """Bytes by section for each object of a library: {"aot_tensors.c": {".bss": 16}}."""
    found: dict[str, dict[str, int]] = {}
    archive = next(build.rglob(f"lib{library}.a"))
    member = ""
    for line in run(["arm-none-eabi-objdump", "-h", archive]).stdout.splitlines():
        if ":     file format" in line:
            member = line.split(":")[0].removesuffix(".obj").removesuffix(".o")
            found[member] = {}
        words = line.split()
        if len(words) == 7 and words[0].isdigit() and int(words[2], 16):
            found[member][words[1]] = int(words[2], 16)
    return found


def total(found: dict[str, dict[str, int]], section: str) -> int:
    return sum(sizes.get(section, 0) for sizes in found.values())


def arena_bytes(module: Module, memory: str) -> int:
    """What the plan reserves in a memory and start-up code zeroes."""
    arenas = module.residency["arenas"]
    return sum(arena["used"] for role in ("scratch", "persistent") for arena in arenas[role]
               if arena["memory"] == memory)


def constant_bytes(module: Module, memory: str) -> int:
    return sum(arena["used"] for arena in module.residency["arenas"]["constant"]
               if arena["memory"] == memory)


def arm_images(folder: Path, module: Module) -> None:
    """The sections on Arm: with the devicetree's nodes, without them, and by relocation."""
    library, on = identifier(module.folder.name), f"{symbol_of(module)}=y"
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={toolchain_file(folder, 'cortex-m55')}"
    nodes = "-DCMAKE_C_FLAGS=-DSTAND_IN_DTCM -DSTAND_IN_ITCM"

    chosen = image(folder / "chosen", [module], [on], toolchain, nodes, arm=True)
    build_all(chosen)
    found = sections(chosen, library)
    require(total(found, ".dtcm_bss") == arena_bytes(module, "dtcm"), f"arenas in DTCM: {found}")
    require(total(found, ".dtcm_data") == constant_bytes(module, "dtcm"), f"constants in DTCM: {found}")
    require(total(found, ".itcm") > 0, f"no code in ITCM: {found}")
    found.pop(f"{module.prefix}_test_case.c")  # has a context of its own
    require(total(found, ".bss") == arena_bytes(module, "sram"), f"arenas in SRAM: {found}")
    require(min(arena_bytes(module, "sram"), constant_bytes(module, "dtcm")) > 0, "nothing to place")
    for file, sizes in found.items():
        for section in (".dtcm_bss", ".dtcm_data"):
            require(sizes.get(section, 0) % 16 == 0, f"{file}: {section} is no multiple of 16")
    for section in (".dtcm_bss", ".dtcm_data"):
        users = [file for file, sizes in found.items() if section in sizes]
        require(len(users) == 1, f"{section} is in {users}")

    bare = image(folder / "bare", [module], [on], toolchain, arm=True)
    build_all(bare)
    for section in (".dtcm_bss", ".dtcm_data", ".itcm", "_DTCM_BSS_SECTION_NAME"):
        require(total(sections(bare, library), section) == 0, f"without nodes there is {section}")

    relocation = [on, "CONFIG_CODE_DATA_RELOCATION=y", f"{symbol_of(module)}_RELOCATE=y",
                  f'{symbol_of(module)}_REGION_SRAM="SHARED"']
    moved = image(folder / "moved", [module], relocation, toolchain, nodes,
                  "-DSTAND_IN_REGIONS=DTCM;ITCM;SHARED", arm=True)
    build_all(moved)
    found = sections(moved, library)
    bytes_to: dict[str, int] = {}
    for line in (moved / "moved.txt").read_text().splitlines():
        location, file = line.split()
        section = "." + location.split("_")[1].lower()
        bytes_to[location] = bytes_to.get(location, 0) + sum(
            size for name, size in found[Path(file).name].items()
            if name == section or name.startswith(section + "."))
    require(bytes_to["DTCM_BSS"] == arena_bytes(module, "dtcm"), f"relocated: {bytes_to}")
    require(bytes_to["DTCM_DATA"] == constant_bytes(module, "dtcm"), f"relocated: {bytes_to}")
    require(bytes_to["SHARED_BSS"] == arena_bytes(module, "sram"), f"relocated: {bytes_to}")
    require(bytes_to["ITCM_TEXT"] > 0, f"relocated: {bytes_to}")


# Scratch in two memories, constants in two, and the code of an operator in a third.
SEVERAL_MEMORIES = {
    "memory.tensors": "[{type: scratch, attributes: {memory: dtcm}},"
                      " {type: scratch, id: '18', attributes: {memory: sram}},"
                      " {type: persistent, attributes: {memory: sram}},"
                      " {type: constant, attributes: {memory: mram}},"
                      " {type: constant, id: '*_packed', attributes: {memory: dtcm}}]",
    "operators": "[{type: CONV_2D, attributes: {code_placement: itcm}}]"}


def main():
    folder = work_folder("zephyr_module")
    demo, ds_cnn = (golden_case(OWN_MODELS / f"{name}.tflite", OWN_MODELS / "golden" / name)
                    for name in ("demo", "ds_cnn_int8"))
    common = {"module.type": "zephyr", "test.enabled": True}
    host = {**common, "platform.name": "host"}
    first = convert(demo, "first", folder / "a", {**host, "module.name": "First-net"})
    second = convert(ds_cnn, "second", folder / "b", {**host, "module.name": "2nd.net"})
    third = convert(demo, "third", folder / "c",
                    {**common, **SEVERAL_MEMORIES, "module.name": "third"})
    failures, tried = [], 0

    def attempt(what, action, *arguments, **options):
        nonlocal tried
        tried += 1
        try:
            action(*arguments, **options)
        except (TestFailure, jsonschema.ValidationError, kconfiglib.KconfigError) as failure:
            failures.append(f"{what}: {failure}")

    for module in (first, second, third):
        attempt(f"{module.prefix}: module.yml", module_yml, module)
        attempt(f"{module.prefix}: Kconfig", switches, module, arm=module is third, libc=False)
    attempt("host image", host_image, folder / "host", [first, second])
    attempt("switched off", switched_off, folder / "off", [first, second])
    attempt("Arm images", arm_images, folder, third)
    finish("zephyr module", failures, tried)


if __name__ == "__main__":
    main()
