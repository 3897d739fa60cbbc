#!/usr/bin/env bash
# Takes the present output as the expected one, where expected output is committed as text: the example's
# reports and tests/golden. Needs build/ingot and, for the example, kws_ref_model.tflite. Read the diff.
set -euo pipefail
cd "$(dirname "$0")/.."

example=examples/memory-placement
"$example/run.sh" >/dev/null
if ! cmp -s "$example/out/model.sha256" <(sed -n 's/^model_sha256=//p' "$example/run.sh"); then
    echo "refresh-goldens: without kws_ref_model.tflite the example's reports stay as they are" >&2
else
    for name in baseline tuned best; do
        cp "$example/out/kws_ref_$name/aot_residency.json" "$example/expected/kws_ref_$name-residency.json"
    done
fi
.venv/bin/python3 tests/golden/golden_text.py --refresh
.venv/bin/python3 tests/golden/docs.py --refresh
git status --short "$example/expected" tests/golden docs
