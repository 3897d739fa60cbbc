#!/usr/bin/env bash
# Installs what Ingot is built with, on Debian 12.
#
#   scripts/setup.sh            what the build and the example need
#   scripts/setup.sh --tests    also what the tests need, and the Python environment .venv
#
# Can be run again at any time: what is there is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."

build_packages=(
    cmake ninja-build g++ pkg-config
    libflatbuffers-dev flatbuffers-compiler flatbuffers-compiler-dev
    libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libfmt-dev libkainjow-mustache-dev
    libsodium-dev libzip-dev zlib1g-dev curl ca-certificates
)
test_packages=(
    libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev
    gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm
    clang clang-14 libclang-rt-14-dev lld clang-format clang-tidy
    python3 python3-venv locales faketime doxygen
    libxml2-utils make chromium
)

packages=("${build_packages[@]}")
tests=no
case "${1:-}" in
    "") ;;
    --tests) tests=yes; packages+=("${test_packages[@]}") ;;
    -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "setup.sh: unknown option '$1'; --tests is the only one" >&2; exit 2 ;;
esac

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_packages() {
    local missing=() package
    for package in "${packages[@]}"; do
        installed "$package" || missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        echo "setup: all ${#packages[@]} Debian packages are installed"
        return
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "setup: run as root, or install these packages: ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "setup: installing ${missing[*]}"
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# The reference interpreter's wheel is for one Python version; Debian's own python3 has it.
find_python() {
    local python
    for python in /usr/bin/python3 python3.11 python3; do
        if "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then
            echo "$python"
            return
        fi
    done
    echo "setup: Python 3.11 is needed for the tests and was not found" >&2
    exit 1
}

make_venv() {
    local stamp=.venv/requirements.txt python
    if cmp -s scripts/requirements.txt "$stamp" && .venv/bin/python3 -c '' 2>/dev/null; then
        echo "setup: .venv is up to date"
        return
    fi
    python=$(find_python)
    echo "setup: making .venv with $python"
    rm -rf .venv
    "$python" -m venv .venv
    .venv/bin/python3 -m pip install --quiet --disable-pip-version-check \
        --requirement scripts/requirements.txt
    cp scripts/requirements.txt "$stamp"
}

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is not a Debian system; install the equivalents of: ${packages[*]}" >&2
else
    install_packages
fi
if [ "$tests" = yes ]; then
    make_venv
fi
