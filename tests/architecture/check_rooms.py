#!/usr/bin/env python3
"""The house keeps its rules: rooms include only what they may, files and functions stay small.

A room may include itself and the rooms that its CMakeLists.txt names after USES, which
docs/architecture.md lists. A function's length is the number of lines between its braces.
Prints every breach and exits 1 when there is one.
"""
import pathlib
import re
import sys

MAX_LINES = 600
MAX_BODY = {"src": 60, "kernels": 60, "tests": 90}
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


def check_includes(src: pathlib.Path) -> list[str]:
    rooms = {path.name: uses(path) for path in src.iterdir() if path.is_dir()}
    breaches = []
    for room in sorted(rooms):
        for path in sorted((src / room).iterdir()):
            if path.suffix not in {".cpp", ".h"}:
                continue
            for include in re.findall(r'#include "(\w+)/', path.read_text()):
                if include in rooms and include not in rooms[room] | {room}:
                    breaches.append(f"{path.relative_to(src.parent)} includes {include}/, "
                                    f"which {room}/ may not use")
    return breaches


def check_table(project: pathlib.Path) -> list[str]:
    """The table's last column, against the rooms' USES: the same words, or `all above`."""
    breaches, above = [], set()
    text = (project / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^\| `src/(\w+)/`.*\| ([^|]*) \|$", text, re.MULTILINE)
    for room, cell in rows:
        listed = {"all above": above, "–": set()}.get(cell, set(cell.split(", ")))
        used = uses(project / "src" / room)
        if cell == "all above":
            used &= above
        if listed != used:
            breaches.append(f"docs/architecture.md: {room}/ may use {sorted(used)}, not {cell}")
        above = above | {room}
    missing = {path.name for path in (project / "src").iterdir() if path.is_dir()} - above
    return breaches + [f"docs/architecture.md has no row for {room}/" for room in sorted(missing)]


def depth(lines: list[str], number: int) -> int:
    """The indentation of the declaration that ends on this line: continued lines are deeper."""
    def continued() -> bool:
        line = lines[number]
        return ("(" not in line or line.count(")") > line.count("(") or
                line.lstrip().startswith(":") or lines[number - 1].endswith(","))

    while number and continued():
        number -= 1
    return len(lines[number]) - len(lines[number].lstrip())


def function_lengths(text: str) -> list[tuple[int, int]]:
    """First line and lines of body of each function of clang-formatted C or C++. A body begins
    with a `{` that ends the last line of a parameter list or stands on the line after it, and ends
    with a `}` at the indentation of the list's first line. What stands in a function, a lambda or
    a loop, counts as part of it."""
    lines = text.splitlines()
    found, number = [], 0
    while number < len(lines):
        line = lines[number]
        opens = line.endswith("{") and not line.lstrip().startswith(("namespace", "extern"))
        head = line if line.strip() != "{" else (lines[number - 1] if number else "")
        # Over several lines the head's last one ends the parameters: `) {`, `) const {`.
        function = opens and ")" in head and not re.search(r"\b(struct|class|enum|union)\b[^()]*{$", line)
        if function:
            close = re.compile(" " * depth(lines, number) + r"}")
            end = next((i for i in range(number + 1, len(lines)) if close.match(lines[i])), None)
            if end is not None:
                found.append((number + 1, end - number - 1))
                number = end
        number += 1
    return found


SAMPLE = """\
struct Pair {
    Pair(int a, int b)
        : first(a),
          second(b) {
        if (a) {
            b = 1;
        }
        return;
    }
    int one(int a) const {
        return a;
    }
};
int two(int a,
        int b)
{
    if (a) {
        b = 1;
    }
    return b;
}
std::vector<int> three(
    const std::function<void(int)>& f) {
    f([](int i) {
        return i;
    });
}
"""


def check_functions(project: pathlib.Path) -> list[str]:
    measured = [length for _, length in function_lengths(SAMPLE)]
    breaches = [] if measured == [4, 1, 4, 3] else [f"functions are measured wrongly: {measured}"]
    for folder, limit in MAX_BODY.items():
        for path in sorted((project / folder).rglob("*")):
            if path.suffix not in {".cpp", ".c", ".h"} or DATA & set(path.relative_to(project).parts):
                continue
            for line, length in function_lengths(path.read_text()):
                if length > limit:
                    breaches.append(f"{path.relative_to(project)}:{line}: a function of {length} lines")
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
    breaches = check_includes(project / "src") + check_table(project) + check_sizes(project)
    breaches += check_functions(project) + check_licences(project)
    for breach in breaches:
        print(breach)
    print(f"{len(breaches)} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
