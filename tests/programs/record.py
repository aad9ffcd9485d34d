"""Run the programs under TensorFlow and store the numbers that they print.

python tests/programs/record.py [tape/maml.py …]

TensorFlow 2.21 writes expected.json. What it no longer runs (names that it or Keras 3 dropped,
tensorflow_addons) is recorded with an interpreter that has TensorFlow 2.15 and tensorflow_addons,
into expected_before.json: a program is in one of the two.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
EXPECTED = HERE / "expected.json"
EXPECTED_BEFORE = HERE / "expected_before.json"
# Folders of programs that TensorFlow 2.21 may refuse.
OLD = ("old_names", "keras2", "addons")
FOLDERS = ("tape", "keras", "pipelines", "repositories", "probability", "gaussian_processes", *OLD)
# What the programs of a folder need beside TensorFlow.
NEEDED = {"probability": "tensorflow_probability", "gaussian_processes": "gpflow"}


def programs() -> list[str]:
    """All programs, as paths from this folder."""
    result = [path for folder in FOLDERS for path in (HERE / folder).glob("*.py")]
    return sorted(path.relative_to(HERE).as_posix() for path in result)


def numbers(output: str) -> dict:
    """What a program printed on its last line."""
    return json.loads(output.strip().splitlines()[-1])


def folder(program: str) -> str:
    """The kind of a program."""
    return program.partition("/")[0]


def is_missing(program: str) -> bool:
    """Whether this interpreter lacks the library that a program needs."""
    library = NEEDED.get(folder(program))
    return library is not None and importlib.util.find_spec(library) is None


def load(file: Path) -> dict:
    """Recorded numbers by program."""
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def save(file: Path, recorded: dict) -> None:
    """Write the numbers of the programs there are, a line each."""
    kept = {program: recorded[program] for program in programs() if program in recorded}
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in kept.items()]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def run(program: str, before: bool) -> subprocess.CompletedProcess:
    """Run one program under TensorFlow, on the CPU."""
    variables = {"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"}
    launcher = ["before.py"] if before else []
    return subprocess.run(
        [sys.executable, *launcher, program],
        cwd=HERE,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def is_before() -> bool:
    """Whether this interpreter's TensorFlow is the one that had Keras 2."""
    [distribution, *_] = importlib.metadata.packages_distributions()["tensorflow"]
    return importlib.metadata.version(distribution).startswith("2.15.")


def main(chosen: list[str]) -> None:
    unknown = set(chosen) - set(programs())
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    before = is_before()
    expected, expected_before = load(EXPECTED), load(EXPECTED_BEFORE)
    failed = []
    here, there = (expected_before, expected) if before else (expected, expected_before)
    for program in chosen or programs():
        if is_missing(program) or (before and program in expected):
            continue
        print(program, flush=True)
        finished = run(program, before)
        if not finished.returncode:
            here[program] = numbers(finished.stdout)
            there.pop(program, None)
        elif before or folder(program) not in OLD:
            failed.append(program)
            print(finished.stderr)
        else:
            here.pop(program, None)
            print(f"  not on this TensorFlow: {finished.stderr.strip().splitlines()[-1]}")
    save(EXPECTED, expected)
    save(EXPECTED_BEFORE, expected_before)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main(sys.argv[1:])
