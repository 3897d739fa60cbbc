#!/usr/bin/env bash
# Sets up, builds and runs every test; arguments go to ctest: scripts/test.sh -R differential
#
# Third-party models are looked for in ../shared/models, in $INGOT_MODELS and in .cache/models
# (scripts/fetch-models.sh). A test that wants for one is skipped and named in the summary; with
# CI=true it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh --tests
scripts/build.sh -DINGOT_TESTS=ON
ctest --preset release --parallel "$(nproc)" "$@"
