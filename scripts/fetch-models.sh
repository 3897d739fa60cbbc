#!/usr/bin/env bash
# Fetches the third-party models and schemas that tests and benchmarks can use, each checked
# against its SHA-256, into $INGOT_MODELS or else .cache/models. Those that are in ../shared already
# are left there. The licence of each is its project's (Apache-2.0); they are not part of Ingot.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${INGOT_MODELS:-.cache/models}
mkdir -p "$target"

has() { [ -f "$1" ] && echo "$2  $1" | sha256sum --check --status; }

failed=0
while read -r file sha256 url; do
    case "$file" in "" | \#*) continue ;; esac
    if has "../shared/models/$file" "$sha256" || has "../shared/reference/$file" "$sha256" ||
        has "$target/$file" "$sha256"; then
        echo "have $file"
        continue
    fi
    echo "fetching $file from $url"
    partial="$target/$file.partial"
    if ! curl --fail --silent --show-error --location --retry 2 --connect-timeout 15 \
        --output "$partial" "$url"; then
        failed=1
    elif ! has "$partial" "$sha256"; then
        echo "fetch-models: $file is not the file expected: its SHA-256 is not $sha256" >&2
        failed=1
    else
        mv "$partial" "$target/$file"
    fi
    rm -f "$partial"
done < <(cat tests/third_party_models.txt tests/third_party_files.txt)
exit "$failed"
