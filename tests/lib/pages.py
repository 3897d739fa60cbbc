"""The documentation as tests read it: its blocks, what is to be done with each, its links.

A comment before a block says what the block alone doesn't:

    <!-- test: file board.yaml -->        the block is written to this file; nothing is run
    <!-- test: exit 4 -->                 the commands end with this status
    <!-- test: module KEY=VALUE ... -->   the C block is compiled with a module of these settings
    <!-- test: skip REASON -->            nothing is done, and the test says why
"""

import re
from dataclasses import dataclass
from pathlib import Path

from project import ROOT

OWN_COMMANDS = ("build/ingot ", "ingot ")


@dataclass
class Block:
    page: Path
    line: int
    language: str  # sh, console, yaml, c, ...; `indented` for a command in an indented block
    text: str
    directive: str = ""  # file, exit, module, skip or nothing
    argument: str = ""

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    found = [ROOT / "README.md", ROOT / "bench" / "README.md", *(ROOT / "docs").rglob("*.md"),
             *(ROOT / "examples").glob("*/README.md")]
    return sorted(path for path in found if path.exists())


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page in order, and the commands of Ingot in indented ones."""
    result, lines, at = [], page.read_text().splitlines(), 0
    directive = argument = ""
    while at < len(lines):
        line = lines[at]
        comment = re.fullmatch(r"<!-- test: (\w+) ?(.*?) -->", line)
        fence = re.fullmatch(r"( *)```(\w*)", line)
        if comment:
            directive, argument = comment.groups()
        elif fence:
            begin = at + 1
            end = next(i for i in range(begin, len(lines)) if lines[i] == fence.group(1) + "```")
            text = "\n".join(part.removeprefix(fence.group(1)) for part in lines[begin:end]) + "\n"
            result.append(Block(page, at + 1, fence.group(2), text, directive, argument))
            directive, at = "", end
        elif line.startswith("    ") and line.strip().startswith(OWN_COMMANDS):
            text = line.strip()
            while text.endswith("\\"):
                at += 1
                text = text[:-1] + lines[at].strip()
            result.append(Block(page, at + 1, "indented", text + "\n"))
        at += 1
    return result


def broken_links(page: Path) -> list[str]:
    """Links to files of the project that aren't there, or to headings that a page doesn't have."""
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", page.read_text(), flags=re.S)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        if not path.exists():
            wrong.append(target)
        elif anchor and path.suffix == ".md" and anchor not in anchors(path):
            wrong.append(target)
    return wrong


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
