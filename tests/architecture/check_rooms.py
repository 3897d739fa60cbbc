#!/usr/bin/env python3
"""The house keeps its rules: rooms include only what they may, files and functions stay small.

A room may include itself and the rooms that its CMakeLists.txt names after USES, and what those
may. Prints every breach and exits 1 when there is one.
"""
import pathlib
import re
import sys

MAX_LINES = 600
CODE = {".cpp", ".h", ".c", ".py", ".sh", ".cmake", ".fbs"}
CHECKED = ["src", "kernels", "tests", "bench", "scripts", "examples", "cmake", "include", "targets"]
DATA = {"golden", "expected", "models", "data"}


def uses(room: pathlib.Path) -> set[str]:
    text = (room / "CMakeLists.txt").read_text()
    call = re.search(r"ingot_room\((\w+)([^)]*)\)", text)
    if not call:  # the command line: may use every room
        return {path.name for path in room.parent.iterdir() if path.is_dir()}
    words = call.group(2).split()
    if "USES" not in words:
        return set()
    allowed = []
    for word in words[words.index("USES") + 1:]:
        if word.isupper():
            break
        allowed.append(word)
    return set(allowed)


def closure(rooms: dict[str, set[str]], room: str) -> set[str]:
    reached, waiting = {room}, [room]
    while waiting:
        for other in rooms[waiting.pop()] - reached:
            reached.add(other)
            waiting.append(other)
    return reached


def check_includes(src: pathlib.Path) -> list[str]:
    rooms = {path.name: uses(path) for path in src.iterdir() if path.is_dir()}
    breaches = []
    for room in sorted(rooms):
        allowed = closure(rooms, room)
        for path in sorted((src / room).iterdir()):
            if path.suffix not in {".cpp", ".h"}:
                continue
            for include in re.findall(r'#include "(\w+)/', path.read_text()):
                if include in rooms and include not in allowed:
                    breaches.append(f"{path.relative_to(src.parent)} includes {include}/, "
                                    f"which {room}/ may not use")
    return breaches


def check_sizes(project: pathlib.Path) -> list[str]:
    breaches = []
    for folder in CHECKED:
        for path in sorted((project / folder).rglob("*")):
            if path.suffix not in CODE or DATA & set(path.relative_to(project).parts):
                continue
            lines = len(path.read_text().splitlines())
            if lines > MAX_LINES:
                breaches.append(f"{path.relative_to(project)} has {lines} lines")
    return breaches


def check_licences(project: pathlib.Path) -> list[str]:
    return [f"{path.relative_to(project)} has no SPDX line"
            for path in sorted((project / "kernels").rglob("*.[ch]"))
            if "SPDX-License-Identifier: 0BSD" not in path.read_text().splitlines()[0]]


def main() -> int:
    project = pathlib.Path(sys.argv[1]).resolve()
    breaches = check_includes(project / "src") + check_sizes(project) + check_licences(project)
    for breach in breaches:
        print(breach)
    print(f"{len(breaches)} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
