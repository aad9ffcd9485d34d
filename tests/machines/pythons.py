"""Installs gradtape on the other Pythons of this machine, and runs a part of its tests there.

    python tests/machines/pythons.py [--only 3.12 3.13t] [-- pytest's arguments]

Looks for python3.11 to python3.14 on PATH, also without Python's lock (python3.13t). Each gets an
environment of its own under .bench with what `pip install .` installs: the extension is compiled,
where there is a compiler. A version that is not there is said, not run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ["3.11", "3.12", "3.13", "3.14", "3.13t", "3.14t"]
# What differs between versions of Python: code objects, exceptions, argparse, annotations, C.
TESTS = [
    *("tests/tracebacks", "tests/core", "tests/cli/test_options.py", "tests/ops/test_registry.py"),
    *("tests/engine", "tests/backends/native/test_op_table.py", "tests/package/test_import.py"),
]


def find(version: str) -> str | None:
    """A Python of this version that works: a name on PATH may stand for one that is not chosen."""
    actual = shutil.which(f"python{version}")
    check = "import sys; print('%d.%d%s' % (*sys.version_info[:2], sys.abiflags))"
    if actual is None:
        return None
    said = subprocess.run([actual, "-c", check], capture_output=True, text=True, check=False)
    return actual if said.stdout.strip() == version else None


def test(version: str, python: str, arguments: list[str]) -> bool:
    folder = ROOT / ".bench" / f"python{version}"
    inside = str(folder / "bin" / "python")
    shutil.rmtree(folder, ignore_errors=True)
    commands = [
        [python, "-m", "venv", str(folder)],
        [inside, "-m", "pip", "install", "--quiet", "--no-compile", ".", "pytest", "hypothesis"],
        [inside, "tests/smoke.py"],
        [inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *TESTS],
    ]
    commands[-1] += arguments
    variables = {"OPENBLAS_NUM_THREADS": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    for command in commands:
        finished = subprocess.run(command, cwd=ROOT, env={**inherited, **variables}, check=False)
        if finished.returncode:
            print(f"Python {version}: failed: {' '.join(command)}", flush=True)
            return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=VERSIONS, choices=VERSIONS)
    parser.add_argument("arguments", nargs="*", help="of pytest")
    chosen = parser.parse_args()
    own = f"{sys.version_info[0]}.{sys.version_info[1]}{sys.abiflags}"
    results: dict[str, str] = {}
    for version in chosen.only:
        python = find(version)
        if version == own and chosen.only == VERSIONS:
            results[version] = "is the one of `make test`"
        elif python is None:
            results[version] = "is not on PATH"
        else:
            print(f"Python {version}: {python}", flush=True)
            results[version] = "passed" if test(version, python, chosen.arguments) else "FAILED"
    for version, result in results.items():
        print(f"Python {version} {result}")
    return int("FAILED" in results.values())


if __name__ == "__main__":
    sys.exit(main())
