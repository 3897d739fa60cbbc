#!/usr/bin/env python3
"""Holds the generated parts of docs/ against what the program says.

    docs.py             compares and prints what differs
    docs.py --refresh   writes them; read the diff before you commit it

docs/operators.md is generated as a whole; in docs/configuration.md the text between two marks is.
"""

import argparse
import difflib
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from project import ROOT, finish, ingot  # noqa: E402

CONFIGURATION = ROOT / "docs" / "configuration.md"
OPERATORS = ROOT / "docs" / "operators.md"
OPERATORS_HEAD = """# Operators

Made from the operators' own tables by `scripts/refresh-goldens.sh`; `ingot operators` prints the same. A model that
breaks a constraint is refused with the operator's number and name.
"""


def operators_page() -> str:
    page = [OPERATORS_HEAD]
    for operator in json.loads(ingot("operators", "--json").stdout)["operators"]:
        page += [f"\n## {operator['type']}\n", f"{operator['types']}\n"]
        page += [f"* {sentence}" for sentence in operator["constraints"]]
        page += [""] if operator["constraints"] else []
    return "\n".join(page).rstrip() + "\n"


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def keys_table() -> str:
    """The configuration keys as `convert --help` lists them."""
    text = ingot("convert", "--help").stdout.split("\nConfiguration:\n")[1].split("\n\n")[0]
    # A long name stands on a line of its own, its description on the next.
    text = re.sub(r"\n {10,}", "  ", text)
    rows = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for line in text.splitlines():
        found = re.match(r"\s*--(\S+)\s+(\S+)\s+(.*?)(?: \[(.*)\])?$", line)
        if found:
            key, value, meaning, default = found.groups()
            shown = f"`{default}`" if default else ""
            rows.append(f"| `{key}` | `{cell(value)}` | {shown} | {cell(meaning)} |")
    return "\n".join(rows)


def transforms_table() -> str:
    rows = ["| transform | default | does |", "|---|---|---|"]
    for transform in json.loads(ingot("transforms", "--json").stdout)["transforms"]:
        default = "on" if transform["on_by_default"] else "off"
        rows.append(f"| `{transform['name']}` | {default} | {transform['description']} |")
    return "\n".join(rows)


def with_part(page: str, name: str, text: str) -> str:
    begin, end = f"<!-- {name}: generated -->\n", f"<!-- {name}: end -->"
    before, rest = page.split(begin)
    return before + begin + "\n" + text + "\n\n" + end + rest.split(end)[1]


def pages() -> dict[Path, str]:
    page = with_part(CONFIGURATION.read_text(), "keys", keys_table())
    return {OPERATORS: operators_page(),
            CONFIGURATION: with_part(page, "transforms", transforms_table())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--refresh", action="store_true")
    arguments = parser.parse_args()
    failures = []
    generated = pages()
    for path, text in generated.items():
        if arguments.refresh:
            path.write_text(text)
            continue
        present = path.read_text() if path.exists() else ""
        if present != text:
            difference = difflib.unified_diff(present.splitlines(), text.splitlines(),
                                              f"committed/{path.name}", f"generated/{path.name}",
                                              lineterm="", n=1)
            failures.append(f"{path.name} is not what the program says; "
                            "scripts/refresh-goldens.sh\n" + "\n".join(list(difference)[:40]))
    finish("documentation", failures, len(generated))


if __name__ == "__main__":
    main()
