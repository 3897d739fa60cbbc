#!/usr/bin/env bash
# Formats C++ and C with clang-format; with --check only says what is not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
    "") mode=(-i) ;;
    --check) mode=(--dry-run --Werror) ;;
    *) echo "format.sh: unknown option '$1'; --check is the only one" >&2; exit 2 ;;
esac
find src include kernels targets tests bench examples -type f \
    \( -name '*.cpp' -o -name '*.h' -o -name '*.c' \) -not -path '*/out/*' -not -path '*/golden/*' -print0 |
    sort -z | xargs -0 -r clang-format "${mode[@]}"
