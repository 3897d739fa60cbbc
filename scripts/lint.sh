#!/usr/bin/env bash
# Runs clang-tidy with the project's checks over src/; arguments name files instead.
# Needs a configured build/ (scripts/build.sh), whose compile commands it reads.
# All of src/ takes about five minutes on two cores, so it is not a part of the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ ! -f build/compile_commands.json ]; then
    echo "lint.sh: build/compile_commands.json is missing; run scripts/build.sh first" >&2
    exit 2
fi
if [ $# -gt 0 ]; then
    printf '%s\0' "$@"
else
    find src -name '*.cpp' -print0 | sort -z
fi | xargs -0 -r -n 1 -P "$(nproc)" clang-tidy --quiet -p build \
    --extra-arg=-Wno-unknown-warning-option
