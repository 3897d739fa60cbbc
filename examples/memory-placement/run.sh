#!/usr/bin/env bash
# Converts one model three times, compares the residency reports, and runs the modules on the host.
#
#   ./run.sh                 finds or fetches the model
#   ./run.sh MODEL.tflite    takes this file, one of the two whose SHA-256 is recorded below
#
# Writes out/ ($OUT: elsewhere). The program is ../../build/ingot ($INGOT: another), the compiler cc ($CC).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
ingot=${INGOT:-$project/build/ingot}
out=${OUT:-$here/out}
cc=${CC:-cc}

model_file=kws_ref_model.tflite
model_sha256=aeea436800704fce17b17292e4412630ad856e9d777c044c64ef748a880bd0ae
model_url=https://raw.githubusercontent.com/mlcommons/tiny/master/benchmark/training/keyword_spotting/trained_models/$model_file
# The project's own model of identical structure, for those without a network.
own_model=$project/tests/models/ds_cnn_int8.tflite
own_sha256=b07b64c73af418db4646b104db778d1f48981e3e8c2fdd28bc2ae3e02f247b09

sha256() { sha256sum "$1" 2>/dev/null | cut -d ' ' -f 1; }

cache=${INGOT_MODELS:-$project/.cache/models}

# Prints the path of the model to use; what happened goes to stderr.
find_model() {
    local path
    if [ $# -gt 0 ]; then
        case "$(sha256 "$1")" in
            "$model_sha256" | "$own_sha256") echo "$1"; return ;;
        esac
        echo "run.sh: $1 is not $model_file: its SHA-256 is not $model_sha256" >&2
        return 1
    fi
    for path in "$cache/$model_file" "$project/.cache/models/$model_file" \
        "$project/../shared/models/$model_file"; do
        if [ "$(sha256 "$path")" = "$model_sha256" ]; then
            echo "$path"
            return
        fi
    done
    echo "fetching $model_file from mlcommons/tiny" >&2
    mkdir -p "$cache"
    path=$cache/$model_file
    if curl --fail --silent --show-error --location --connect-timeout 15 --max-time 120 \
        --output "$path.partial" "$model_url"; then
        if [ "$(sha256 "$path.partial")" = "$model_sha256" ]; then
            mv "$path.partial" "$path"
            echo "$path"
            return
        fi
        echo "run.sh: what came is not $model_file: its SHA-256 is not $model_sha256" >&2
    fi
    rm -f "$path.partial"
    echo "run.sh: no $model_file; taking the project's own ds_cnn_int8.tflite, whose structure and" >&2
    echo "run.sh: plan are the same (its weights, and so the scores below, are not)" >&2
    echo "$own_model"
}

# Builds a module with the program around it and runs it: run_on_host NAME [-DAPPLICATION_ARENAS]
run_on_host() {
    local name=$1 module=$out/$1
    shift
    "$cc" -O2 "$@" -I "$module/includes-api" "$module"/src/*.c "$here/main.c" -o "$out/$name.host"
    "$out/$name.host" "$module/aot_arena_const_dtcm__source.bin" >"$out/$name.scores"
}

# Shows what the page is about: "constant" arenas, in the order of the report.
show_constants() {
    sed -n '/^    "constant": \[/,/^    \],*$/p' "$1" |
        grep -E '^        "(kind|memory|source_memory|tensor_count|used)"' | tr -s ' ' | tr -d '\n' |
        sed 's/,$//'
    echo
}

model=$(find_model "$@")
mkdir -p "$out"
sha256 "$model" >"$out/model.sha256"
for name in baseline tuned best; do
    "$ingot" --quiet convert "$model" --path "$here/config-$name.yaml" -o "$out" --force
done

echo "constant arenas"
for name in baseline tuned best; do
    printf '  %-9s' "$name"
    show_constants "$out/kws_ref_$name/aot_residency.json"
done

echo "baseline against tuned, in short (all of it in $out/baseline-tuned.diff)"
"$ingot" diff "$out/kws_ref_baseline/aot_residency.json" "$out/kws_ref_tuned/aot_residency.json" \
    >"$out/baseline-tuned.diff" || [ $? -eq 1 ]
echo "  $(grep -c '^tensor .*: source dtcm -> mram$' "$out/baseline-tuned.diff") tensors: source dtcm -> mram"
grep -E '^(plan_hash:|arena )' "$out/baseline-tuned.diff" | sed 's/^/  /'

run_on_host kws_ref_baseline
run_on_host kws_ref_tuned -DAPPLICATION_ARENAS
run_on_host kws_ref_best -DAPPLICATION_ARENAS
for name in tuned best; do
    if ! cmp "$out/kws_ref_baseline.scores" "$out/kws_ref_$name.scores"; then
        echo "run.sh: baseline and $name compute different scores" >&2
        exit 1
    fi
done
echo "scores of three inputs, the same from all three modules"
sed 's/^/  /' "$out/kws_ref_baseline.scores"
echo "reports are in $out/kws_ref_{baseline,tuned,best}/aot_residency.json"
