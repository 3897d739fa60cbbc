#!/usr/bin/env python3
"""Installs Ingot and uses it as others do: by CMake package, by pkg-config, from another folder."""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS  # noqa: E402
from project import TestFailure, finish, run, work_folder  # noqa: E402

CONSUMER = Path(__file__).with_name("install")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path, help="a built build folder")
    arguments = parser.parse_args()
    folder = work_folder("install")
    run(["cmake", "--install", arguments.build, "--prefix", folder / "staged"])
    prefix = folder / "moved"  # a package that is moved still works
    (folder / "staged").rename(prefix)
    library = next(prefix.glob("lib*/**/libingot.so")).parent
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library),
                   "PKG_CONFIG_PATH": str(library / "pkgconfig")}
    model = OWN_MODELS / "demo.tflite"
    failures = []

    def attempt(what, action):
        try:
            action()
        except TestFailure as failure:
            failures.append(f"{what}: {failure}")

    def program():
        run([prefix / "bin" / "ingot", "convert", model, "-o", folder / "out"], env=environment)
        if not (folder / "out" / "aot_module" / "includes-api" / "aot_model.h").is_file():
            raise TestFailure("the installed program wrote no module")

    def cmake_package():
        build = folder / "consumer"
        run(["cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"])
        run(["cmake", "--build", build])
        run([build / "consumer", model], env=environment)

    def pkg_config():
        flags = run(["pkg-config", "--define-prefix", "--cflags", "--libs", "ingot"], env=environment)
        program = folder / "consumer-by-pkg-config"
        run(["g++", "-std=c++17", CONSUMER / "consumer.cpp", "-o", program, *flags.stdout.split()])
        run([program, model], env=environment)

    def man_page():
        pages = list(prefix.glob("share/man/man1/ingot.1*"))
        if not pages:
            raise TestFailure("no man page")
        if "convert" not in pages[0].read_text():
            raise TestFailure("the man page does not speak of convert")

    attempts = {"program": program, "CMake package": cmake_package, "pkg-config": pkg_config,
                "man page": man_page}
    for what, action in attempts.items():
        attempt(what, action)
    finish("install", failures, len(attempts))


if __name__ == "__main__":
    main()
