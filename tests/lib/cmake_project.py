"""CMake projects in tests: configured without a warning, built, looked into."""

import json
from pathlib import Path

from project import TestFailure, run

ARM_GCC = {"CMAKE_SYSTEM_NAME": "Generic", "CMAKE_SYSTEM_PROCESSOR": "arm",
           "CMAKE_TRY_COMPILE_TARGET_TYPE": "STATIC_LIBRARY",
           "CMAKE_C_COMPILER": "arm-none-eabi-gcc", "CMAKE_CXX_COMPILER": "arm-none-eabi-g++"}


def toolchain_file(folder: Path, cpu: str) -> Path:
    """A toolchain file as bare-metal projects have it, for the Arm compiler and one core."""
    path = folder / f"{cpu}.cmake"
    flags = f"-mcpu={cpu} -mthumb"
    lines = [f'set({name} "{value}")' for name, value in {**ARM_GCC, "CMAKE_C_FLAGS_INIT": flags}.items()]
    path.write_text("\n".join([*lines, ""]))
    return path


def configure(source: Path, build: Path, *arguments, expect: int = 0) -> str:
    """Configures a project and gives what CMake said; a warning is a test failure."""
    done = run(["cmake", "-S", source, "-B", build, "-G", "Ninja", "-Werror=dev",
                "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *arguments], expect=expect)
    said = done.stdout + done.stderr
    if expect == 0 and "CMake Warning" in said:
        raise TestFailure(f"{source.name}: CMake warns:\n{said}")
    return said


def build_all(build: Path, *targets: str) -> str:
    """Builds and gives what was said; compilers must be silent."""
    words = ["--target", *targets] if targets else []
    done = run(["cmake", "--build", build, *words])
    said = done.stdout + done.stderr
    if "warning:" in said.lower():
        raise TestFailure(f"{build}: a compiler warns:\n{said[-4000:]}")
    return said


def compile_commands(build: Path) -> dict[str, str]:
    """The compiler's command line for each source file."""
    rows = json.loads((build / "compile_commands.json").read_text())
    return {row["file"]: row["command"] for row in rows}
