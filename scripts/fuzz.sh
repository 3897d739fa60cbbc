#!/usr/bin/env bash
# Builds the preset `fuzz` (Clang with address and undefined-behaviour sanitizers) and feeds the
# compiler with mutated models.
#
#   scripts/fuzz.sh [SECONDS] [BUILD_FOLDER] [LIBFUZZER_OPTION | SEED_FOLDER]...
#
# Default: 60 seconds in build-fuzz. What it finds is left in BUILD_FOLDER/found; once the fault is
# mended, the file goes to tests/fuzz/found, where every run starts.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
build=${2:-build-fuzz}
shift $(($# < 2 ? $# : 2))

if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
cmake --preset fuzz -B "$build" >/dev/null
cmake --build "$build" --target fuzz_compile

mkdir -p "$build/corpus" "$build/seeds" "$build/found"
# Mutations of large models are slow and find nothing that those of small ones don't. Files of
# different folders share names, so their paths name the copies.
for folder in tests/fuzz/found tests/data/malformed tests/models "${INGOT_MODELS:-}" .cache/models ../shared/models; do
    [ -d "$folder" ] || continue
    find "$folder" -name '*.tflite' -size -65k -print0 | while IFS= read -r -d '' file; do
        cp "$file" "$build/seeds/$(tr / _ <<<"${file#../}")"
    done
done

# The sanitizer keeps freed memory for a while, which is not the compiler's need: at most 64 MB.
ASAN_OPTIONS=quarantine_size_mb=64 "$build/tests/fuzz/fuzz_compile" -max_total_time="$seconds" \
    -max_len=65536 -rss_limit_mb=1024 -malloc_limit_mb=1024 -timeout=5 -detect_leaks=1 \
    -print_final_stats=1 -artifact_prefix="$build/found/" "$build/corpus" "$build/seeds" "$@"
