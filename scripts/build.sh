#!/usr/bin/env bash
# Configures and builds the release preset into build/: the program is build/ingot.
# Arguments go to CMake: scripts/build.sh -DINGOT_TESTS=ON
set -euo pipefail
cd "$(dirname "$0")/.."

if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
cmake --preset release "$@"
cmake --build --preset release
