#!/usr/bin/env bash
# Converts the model, builds it with the application's operator and runs it; then without the operator,
# to see what the module says.
#
# Writes out/ ($OUT: elsewhere). The program is ../../build/ingot ($INGOT: another), the compiler cc ($CC).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
ingot=${INGOT:-$here/../../build/ingot}
out=${OUT:-$here/out}
cc=${CC:-cc}

mkdir -p "$out"
"$ingot" --quiet convert "$here/moving_average.tflite" --path "$here/config.yaml" -o "$out" --force
module=$out/moving_average

"$cc" -O2 -I "$module/includes-api" "$module"/src/*.c "$here/main.c" "$here/moving_average.c" -o "$out/with"
"$out/with"

"$cc" -O2 -include stdio.h '-DAOT_PRINTF(...)=printf(__VA_ARGS__)' -I "$module/includes-api" \
    "$module"/src/*.c "$here/main.c" -o "$out/without"
if "$out/without"; then
    echo "run.sh: the model ran without its operator" >&2
    exit 1
fi
