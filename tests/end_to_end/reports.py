#!/usr/bin/env python3
"""The reports of conversions, as a reader takes them: they are what their JSON Schemas say, they agree with each
other, and every hint is true: a conversion with the setting that it names saves what it promises.
"""

import json
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import all_models  # noqa: E402
from project import ROOT, TestFailure, finish, ingot, work_folder  # noqa: E402

NAMES = ("plan", "report", "residency")
PUBLISHED = {name: json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text()) for name in NAMES}
KINDS = {"peak", "spilled", "budget", "identical-constants", "inputs-overwritable", "planner", "staging",
         "constants-in-ram", "big-constants", "transform", "not-proven-optimal"}
STAGED = {"type": "constant", "attributes": {"memory": "MRAM", "constant_destination_memory": "DTCM"}}

# Configurations, by name; each after the first is tried with one model, `demo` or the one in MODELS.
VARIANTS = {
    "plain": {},
    "frugal": {"memory": {"planner": "greedy", "tensors": [STAGED]}, "model": {"inputs_overwritable": False},
               "transforms": [{"name": "*", "enabled": False}]},
    "bound": {"memory": {"constraints": [{"name": "dtcm", "max_size": "12K"}, {"name": "sram", "max_size": "1M"}]}},
    # The user's own rules: the saving of a hint that leaves them out is another one.
    "own rules": {"memory": {"planner": "greedy", "tensors": [
        {"type": "scratch", "attributes": {"memory": "SRAM"}},
        {"type": "constant", "id": ["*it's*", "*_weight*"], "attributes": {"memory": ["DTCM", "MRAM"], "max_size": "1K"}},
        {"type": "constant", "attributes": {"memory": "MRAM", "constant_destination_memory": "auto"}}]},
        "transforms": [{"name": "*", "enabled": False}]},
    "external": {"memory": {"allocate_arenas": False, "tensors": [STAGED]}, "test": {"enabled": True}},
    "m4": {"platform": {"name": "nrf52840dk"}, "module": {"schedule": "static"}},
    "host": {"platform": {"name": "host"}},
    "split": {"memory": {"tensors": [{"id": "svdf_5_weight_sum", "attributes": {"memory": "SRAM"}}]}},
    "greedy": {"memory": {"planner": "greedy"}},
}
MODELS = {"greedy": "mobilenet_v1_025_int8"}


def replaced(base: dict, setting: dict) -> dict:
    """The configuration with the keys of the setting in place of its own: what a user makes of it."""
    result = dict(base)
    for section, value in setting.items():
        result[section] = {**base.get(section, {}), **value} if isinstance(value, dict) else value
    return result


def convert(model: Path, configuration: dict, folder: Path, *flags) -> dict[str, dict]:
    folder.mkdir(parents=True)
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(replaced(configuration, {"memory": {"dump_residency_json": True}})))
    ingot("convert", model, "-q", "--path", path, "-o", folder, *flags)
    return {name: json.loads((folder / "aot_module" / f"aot_{name}.json").read_text()) for name in NAMES}


def closed(schema):
    """The schema with no keys but those that it declares: published, it lets new ones pass."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if "properties" in schema:
        result.setdefault("additionalProperties", False)
    return result


CLOSED = {name: Draft202012Validator(closed(schema)) for name, schema in PUBLISHED.items()}
OPEN = {name: Draft202012Validator(schema) for name, schema in PUBLISHED.items()}


def newer(value):
    """A report as a later version may write it: another key in every object but maps by name, another kind of hint."""
    if isinstance(value, list):
        return [newer(part) for part in value]
    if not isinstance(value, dict):
        return value
    kind = {"kind": "a new one"} if "saves" in value else {}
    return {key: part if key == "touched_bytes" else newer(part) for key, part in value.items()} | kind | {"new": {}}


def schema_errors(reports: dict) -> list[str]:
    """What is undeclared or wrong; and what a reader with today's schemas would refuse in later reports."""
    wrong = [f"aot_{kind}.json {error.json_path}: {error.message}" for kind, schema in CLOSED.items()
             for error in schema.iter_errors(reports[kind])]
    return wrong + [f"a later aot_{kind}.json {error.json_path}: {error.message}" for kind, schema in OPEN.items()
                    for error in schema.iter_errors(newer(reports[kind]))]


def used(reports: dict) -> dict[str, int]:
    return {memory["name"]: memory["used"] for memory in reports["report"]["memories"]}


def disagreements(reports: dict) -> list[str]:
    """What the three reports say of the same things."""
    plan, report, residency = reports["plan"], reports["report"], reports["residency"]
    wrong = []
    if plan["plan_hash"] != residency["plan_hash"]:
        wrong.append("plan hashes differ")
    steps = {step["id"]: step for step in plan["operators"]}
    for row in report["operators"]:
        step = steps[row["id"]]
        if [kernel["name"] for kernel in step["kernels"]] != row["kernels"] or step["macs"] != row["macs"]:
            wrong.append(f"operator {row['id']} is not the same in both")
    if sum(row["macs"] for row in report["operators"]) != report["totals"]["macs"]:
        wrong.append("the operators' MACs are not the total")
    for arena in report["arenas"]:
        if arena["role"] != "scratch":
            continue
        sizes = sum((tensor["size"] + 15) // 16 * 16 for tensor in arena["peak"]["tensors"])
        if sizes != arena["peak"]["live_bytes"]:
            wrong.append(f"the peak of {arena['enum_name']} is not the sum of its tensors")
        # Outputs that lie over inputs make an arena smaller than what is live in it, never than its own bound.
        if not arena["overlap_lower_bound"] <= min(arena["used"], arena["lower_bound"]):
            wrong.append(f"{arena['enum_name']} is below its bound, or its bounds are in disorder")
    saves = [hint["saves"] for hint in report["hints"]]
    if saves != sorted(saves, reverse=True):
        wrong.append("the hints are not in order")
    return wrong


def unkept(hint: dict, reports: dict, other: dict) -> list[str]:
    """What the hint promises and a conversion with its setting doesn't keep."""
    memory = hint["memory"]
    if hint["kind"] == "budget":
        wanting = [row for row in other["report"]["spilled"] if row["wanted"] == memory]
        needed = used(other)[memory]
        return [] if not wanting and f"needs {needed} bytes" in hint["message"] else [
            f"{len(wanting)} tensors have no room still, {needed} bytes are used"]
    saved = used(reports)[memory] - used(other)[memory]
    kept = saved <= hint["saves"] if hint["at_most"] else saved == hint["saves"]
    return [] if kept else [f"promises {hint['saves']} bytes, and {saved} are saved"]


def false_hints(model: Path, configuration: dict, reports: dict, folder: Path) -> tuple[list[str], set[str]]:
    """Converts with each setting that a hint gives, in the file and as a flag; also the kinds of hints."""
    wrong, kinds = [], set()
    for number, hint in enumerate(reports["report"]["hints"]):
        kinds.add(hint["kind"])
        if hint["setting"] is None:
            continue
        try:
            other = convert(model, replaced(configuration, yaml.safe_load(hint["setting"])), folder / str(number))
            flag = convert(model, configuration, folder / f"{number}-flag", *shlex.split(hint["flag"]))
        except TestFailure as failure:
            wrong.append(f"hint '{hint['setting']}': {failure}")
            continue
        if used(flag) != used(other):
            wrong.append(f"flag {hint['flag']} isn't setting {hint['setting']}")
        wrong += [f"hint '{hint['message']}': {what}" for what in unkept(hint, reports, other)]
    return wrong, kinds


def check(case, name: str, folder: Path) -> tuple[list[str], set[str]]:
    place = folder / f"{case.identifier}-{name}"
    configuration = VARIANTS[name]
    try:
        reports = convert(case.model, configuration, place)
        wrong = schema_errors(reports)
        wrong += disagreements(reports)
        false, kinds = false_hints(case.model, configuration, reports, place)
    except TestFailure as failure:
        return [f"{case.name}, {name}: {failure}"], set()
    return [f"{case.name}, {name}: {problem}" for problem in wrong + false], kinds


def main():
    folder = work_folder("reports")
    cases = all_models()
    named = {case.name: case for case in cases}
    jobs = [(case, "plain") for case in cases]
    jobs += [(named[MODELS.get(name, "demo")], name) for name in list(VARIANTS)[1:]]
    failures, kinds = [], set()
    with ThreadPoolExecutor(2) as pool:
        for wrong, found in pool.map(lambda job: check(*job, folder), jobs):
            failures += wrong
            kinds |= found
    if kinds - KINDS:
        failures.append(f"kinds of hints that no schema names: {sorted(kinds - KINDS)}")
    if missing := KINDS - {"not-proven-optimal"} - kinds:
        failures.append(f"no conversion gives these kinds of hints: {sorted(missing)}")
    finish("reports", failures, len(jobs))


if __name__ == "__main__":
    main()
