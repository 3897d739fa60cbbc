#!/usr/bin/env python3
"""Runs the memory-placement example and holds its reports against the committed ones.

Both models must give them: kws_ref_model.tflite, and the project's own ds_cnn_int8.tflite, whose structure
is the same. The weights differ, so the one line that tells of them, the SHA-256 of a sidecar, is checked
against the sidecar and then left out of the comparison; for kws_ref_model.tflite nothing is left out.
"""

import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from cases import OWN_MODELS, find_third_party  # noqa: E402
from project import ROOT, finish, in_ci, program, run, work_folder  # noqa: E402

EXAMPLE = ROOT / "examples" / "memory-placement"
NAMES = ["baseline", "tuned", "best"]


def run_example(out: Path, *arguments, script=EXAMPLE / "run.sh", expect=0, **environment):
    return run([script, *arguments], expect=expect,
               env={**os.environ, "INGOT": str(program()), "OUT": str(out), **environment})


def without_weights(text: str, module: Path, failures: list[str]) -> str:
    """The report without SHA-256s of sidecars, each of which must be right."""
    for arenas in json.loads(text)["arenas"].values():
        for arena in arenas:
            if sidecar := arena["storage"]["sidecar"]:
                sha256 = hashlib.sha256((module / sidecar["file"]).read_bytes()).hexdigest()
                if sidecar["sha256"] != sha256:
                    failures.append(f"{module.name}: the report's SHA-256 is not that of {sidecar['file']}")
                text = text.replace(sidecar["sha256"], "-")
    return text


def mask(text: str) -> str:
    """The committed report without SHA-256s of sidecars."""
    for arenas in json.loads(text)["arenas"].values():
        for arena in arenas:
            if sidecar := arena["storage"]["sidecar"]:
                text = text.replace(sidecar["sha256"], "-")
    return text


def compare(out: Path, exact: bool) -> list[str]:
    failures = []
    for name in NAMES:
        module = out / f"kws_ref_{name}"
        got = (module / "aot_residency.json").read_text()
        expected = (EXAMPLE / "expected" / f"kws_ref_{name}-residency.json").read_text()
        checked = without_weights(got, module, failures)
        if (got != expected) if exact else (checked != mask(expected)):
            failures.append(f"{module}/aot_residency.json is not expected/kws_ref_{name}-residency.json")
    return failures


def published_facts(out: Path) -> list[str]:
    """What the reference page says of its two reports."""
    reports = [json.loads((out / f"kws_ref_{name}" / "aot_residency.json").read_text())
               for name in ("baseline", "tuned")]
    baseline, tuned = reports
    constants = [{key: report["arenas"]["constant"][0][key]
                  for key in ("kind", "memory", "source_memory", "tensor_count", "used")} for report in reports]
    expected = [{"kind": kind, "memory": "dtcm", "source_memory": source, "tensor_count": 39, "used": 28992}
                for kind, source in (("cold", "dtcm"), ("staged", "mram"))]
    layouts = [[(t["id"], t["role"], t["size"], t["offset"]) for t in report["tensors"]] for report in reports]
    facts = {
        "constant arenas": constants == expected,
        "one constant arena each": all(len(report["arenas"]["constant"]) == 1 for report in reports),
        "same ids, sizes and offsets": layouts[0] == layouts[1],
        "another plan hash": baseline["plan_hash"] != tuned["plan_hash"],
        "same layout hash": baseline["tensor_layout_hash"] == tuned["tensor_layout_hash"],
        "sidecar": (out / "kws_ref_tuned" / "aot_arena_const_dtcm__source.bin").stat().st_size == 28992,
        "no sidecar of the baseline": not list((out / "kws_ref_baseline").glob("*.bin")),
    }
    return [f"not as published: {fact}" for fact, holds in facts.items() if not holds]


def fallback(folder: Path) -> list[str]:
    """Without the model and without a network the project's own one is taken, and it is said."""
    copy, tools = folder / "project" / "examples" / "memory-placement", folder / "tools"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("out"))
    (folder / "project" / "tests" / "models").mkdir(parents=True)
    shutil.copy(OWN_MODELS / "ds_cnn_int8.tflite", folder / "project" / "tests" / "models")
    tools.mkdir()
    (tools / "curl").write_text("#!/bin/sh\nexit 6\n")  # no such host
    (tools / "curl").chmod(0o755)
    done = run_example(folder / "out", script=copy / "run.sh", PATH=f"{tools}:{os.environ['PATH']}",
                       INGOT_MODELS=str(folder / "nowhere"))
    failures = compare(folder / "out", exact=False)
    if "ds_cnn_int8.tflite" not in done.stderr:
        failures.append("the fallback says nothing")
    return failures


def main():
    folder = work_folder("example")
    run_example(folder / "own", OWN_MODELS / "ds_cnn_int8.tflite")
    failures = compare(folder / "own", exact=False) + published_facts(folder / "own")
    failures += fallback(folder / "fallback")
    tried = 2
    refused = run_example(folder / "other", OWN_MODELS / "demo.tflite", expect=None)
    if refused.returncode == 0 or "SHA-256" not in refused.stderr:
        failures.append("another model was taken for kws_ref_model.tflite")
    if model := find_third_party("kws_ref_model.tflite"):
        run_example(folder / "kws_ref", model)
        failures += compare(folder / "kws_ref", exact=True) + published_facts(folder / "kws_ref")
        tried += 1
    elif in_ci():
        failures.append("kws_ref_model.tflite is not here")
    finish("memory-placement", failures, tried)


if __name__ == "__main__":
    main()
