"""Where things are, and how the program is called."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
SKIPPED = 77  # the exit status that ctest takes for "not tried"


class TestFailure(Exception):
    """A test found something wrong; the text says what."""


def program() -> Path:
    """The program under test: $INGOT_PROGRAM, else build/ingot."""
    return Path(os.environ.get("INGOT_PROGRAM", ROOT / "build" / "ingot")).resolve()


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() in ("1", "true", "yes")


def work_folder(name: str) -> Path:
    """An empty folder for one test's files, below $INGOT_WORK or build/tests/work."""
    base = Path(os.environ.get("INGOT_WORK", ROOT / "build" / "tests" / "work"))
    folder = base.resolve() / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def run(command, *, expect=0, timeout=600, **options) -> subprocess.CompletedProcess:
    """Runs a command; a status other than `expect` (None: any) is a test failure."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=timeout, stdin=subprocess.DEVNULL, **options)
    except subprocess.TimeoutExpired:
        raise TestFailure(f"no end after {timeout} s: {' '.join(command)}") from None
    if expect is not None and done.returncode != expect:
        output = (done.stdout + done.stderr)[-4000:]
        raise TestFailure(f"status {done.returncode}, expected {expect}: {' '.join(command)}\n{output}")
    return done


def ingot(*arguments, **options) -> subprocess.CompletedProcess:
    return run([program(), *arguments], timeout=options.pop("timeout", 60), **options)


def settings(keys: dict) -> list[str]:
    """Configuration keys as flags: {"module.prefix": "a"} is --module.prefix=a."""
    def text(value):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return [f"--{key}={text(value)}" for key, value in keys.items()]


def finish(name: str, failures: list[str], tried: int) -> None:
    """Ends a test program: prints what failed and how much was tried."""
    for failure in failures:
        print(f"FAIL {failure}", file=sys.stderr)
    print(f"{name}: {tried} tried, {len(failures)} failed")
    if tried == 0:
        print(f"{name}: nothing was tried", file=sys.stderr)
    sys.exit(1 if failures or tried == 0 else 0)
