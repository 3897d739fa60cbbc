#!/usr/bin/env bash
# First look: sets up, builds build/ingot and runs the memory-placement example.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
scripts/build.sh -DINGOT_TESTS=OFF
examples/memory-placement/run.sh
