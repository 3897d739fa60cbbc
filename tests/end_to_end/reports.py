#!/usr/bin/env python3
"""The reports of conversions, as a reader takes them: they are what their JSON Schemas say, they agree with each
other, and every hint is true: a conversion with the setting that it names saves what it promises.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import all_models  # noqa: E402
from project import ROOT, TestFailure, finish, ingot, work_folder  # noqa: E402

SCHEMAS = {name: Draft202012Validator(json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text()))
           for name in ("plan", "report", "residency")}
STAGED = {"type": "constant", "attributes": {"memory": "MRAM", "constant_destination_memory": "DTCM"}}

# Configurations, by name; each after the first is tried with one model, `demo` or the one in MODELS.
VARIANTS = {
    "plain": {},
    "frugal": {"memory": {"planner": "greedy", "tensors": [STAGED]}, "model": {"inputs_overwritable": False},
               "transforms": [{"name": "*", "enabled": False}]},
    "bound": {"memory": {"constraints": [{"name": "dtcm", "max_size": "12K"}]}},
    "external": {"memory": {"allocate_arenas": False, "tensors": [STAGED]}, "test": {"enabled": True}},
    "m4": {"platform": {"name": "nrf52840dk"}, "module": {"schedule": "static"}},
    "host": {"platform": {"name": "host"}},
    "split": {"memory": {"tensors": [{"id": "svdf_5_weight_sum", "attributes": {"memory": "SRAM"}}]}},
    "greedy": {"memory": {"planner": "greedy"}},
}
MODELS = {"greedy": "mobilenet_v1_025_int8"}


def merged(base, more):
    """Mappings key by key; lists one after the other: later rules and settings win."""
    if isinstance(base, dict) and isinstance(more, dict):
        return {key: merged(base[key], more[key]) if key in base and key in more else base.get(key, more.get(key))
                for key in [*base, *(key for key in more if key not in base)]}
    return base + more if isinstance(base, list) and isinstance(more, list) else more


def convert(model: Path, configuration: dict, folder: Path) -> dict[str, dict]:
    folder.mkdir(parents=True)
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(merged(configuration, {"memory": {"dump_residency_json": True}})))
    ingot("convert", model, "-q", "--path", path, "-o", folder)
    return {name: json.loads((folder / "aot_module" / f"aot_{name}.json").read_text()) for name in SCHEMAS}


def closed(schema: dict, place: str) -> list[str]:
    """Objects of a schema that would let unknown keys pass."""
    wrong = []
    if "properties" in schema and schema.get("additionalProperties") is not False:
        wrong.append(f"{place} allows other keys")
    for key, value in schema.items():
        for i, part in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(part, dict):
                wrong += closed(part, f"{place}/{key}" + (f"/{i}" if isinstance(value, list) else ""))
    return wrong


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
        if sizes != arena["peak"]["live_bytes"] or not sizes <= arena["used"]:
            wrong.append(f"the peak of {arena['enum_name']} is not the sum of its tensors")
    saves = [hint["saves"] for hint in report["hints"]]
    if saves != sorted(saves, reverse=True):
        wrong.append("the hints are not in order")
    return wrong


def false_hints(model: Path, configuration: dict, reports: dict, folder: Path) -> tuple[list[str], set[str]]:
    """Converts with each setting that a hint gives; also the kinds of hints that were tried."""
    wrong, kinds = [], set()
    for number, hint in enumerate(reports["report"]["hints"]):
        kinds.add(hint["kind"])
        if hint["setting"] is None:
            continue
        other = convert(model, merged(configuration, yaml.safe_load(hint["setting"])), folder / str(number))
        saved = used(reports)[hint["memory"]] - used(other)[hint["memory"]]
        if saved > hint["saves"] or (saved != hint["saves"] and not hint["at_most"]):
            wrong.append(f"hint '{hint['message']}' promises {hint['saves']} bytes, and {saved} are saved")
    return wrong, kinds


def check(case, name: str, folder: Path) -> tuple[list[str], set[str]]:
    place = folder / f"{case.identifier}-{name}"
    configuration = VARIANTS[name]
    try:
        reports = convert(case.model, configuration, place)
        wrong = [f"aot_{kind}.json {error.json_path}: {error.message}" for kind, schema in SCHEMAS.items()
                 for error in schema.iter_errors(reports[kind])]
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
    failures = [problem for name, schema in SCHEMAS.items() for problem in closed(schema.schema, name)]
    kinds = set()
    with ThreadPoolExecutor(2) as pool:
        for wrong, found in pool.map(lambda job: check(*job, folder), jobs):
            failures += wrong
            kinds |= found
    wanted = {"peak", "spilled", "budget", "identical-constants", "inputs-overwritable", "planner", "staging",
              "constants-in-ram", "big-constants", "transform"}
    if wanted - kinds:
        failures.append(f"no conversion gives these kinds of hints: {sorted(wanted - kinds)}")
    finish("reports", failures, len(jobs))


if __name__ == "__main__":
    main()
