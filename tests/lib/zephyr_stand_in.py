"""The stand-in for Zephyr: where it is, and how modules' Kconfig files make a configuration."""

import os
from pathlib import Path

import kconfiglib

from project import ROOT, TestFailure

STAND_IN = ROOT / "tests" / "end_to_end" / "zephyr"


def identifier(name: str) -> str:
    text = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
    return "_" + text if text[0].isdigit() else text


class Configuration:
    """The modules' Kconfig files, included as Zephyr includes those of its modules."""

    def __init__(self, modules: list[Path], folder: Path, arm: bool, fpu: bool):
        folder.mkdir(parents=True, exist_ok=True)
        wrapper = folder / "Kconfig.modules"
        lines = []
        for module in modules:
            name = module.name
            lines += [f'menu "{name} ({module})"', f'osource "{module}/zephyr/Kconfig"',
                      f"config ZEPHYR_{identifier(name).upper()}_MODULE", "\tbool", "\tdefault y", "endmenu"]
        wrapper.write_text("\n".join([*lines, ""]))
        os.environ.update(STAND_IN_ARM="y" if arm else "n", STAND_IN_FPU="y" if fpu else "n",
                          STAND_IN_MODULES=str(wrapper))
        self.folder = folder
        self.kconfig = kconfiglib.Kconfig(str(STAND_IN / "Kconfig"), warn_to_stderr=False)
        if self.kconfig.warnings:
            raise TestFailure(f"Kconfig: {self.kconfig.warnings}")

    def symbol(self, name: str):
        symbol = self.kconfig.syms.get(name)
        if symbol is None or not symbol.nodes:
            raise TestFailure(f"Kconfig has no symbol {name}")
        return symbol

    def load(self, lines: list[str]) -> list[Path]:
        """prj.conf with these lines: the CMake and C forms of the configuration it gives."""
        project = self.folder / "prj.conf"
        project.write_text("\n".join([*lines, ""]))
        self.kconfig.warnings.clear()
        self.kconfig.load_config(str(project))
        if self.kconfig.warnings:
            raise TestFailure(f"prj.conf: {self.kconfig.warnings}")
        cmake, autoconf = self.folder / "config.cmake", self.folder / "autoconf.h"
        rows = []
        for symbol in self.kconfig.unique_defined_syms:
            if symbol.type in (kconfiglib.STRING, kconfiglib.INT):
                rows.append(f'set(CONFIG_{symbol.name} "{symbol.str_value}")')
            elif symbol.str_value == "y":
                rows.append(f"set(CONFIG_{symbol.name} y)")
        cmake.write_text("\n".join([*rows, ""]))
        self.kconfig.write_autoconf(str(autoconf))
        return [cmake, autoconf]
