"""Run a program of this folder as its users do, by `gradtape run`."""

import json
import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def run(program: str, argument: Path) -> None:
    """Run a program in a process of its own; fail with what it wrote to stderr."""
    finished = subprocess.run(
        [sys.executable, "-m", "gradtape", "run", str(FOLDER / program), str(argument)],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not finished.returncode, finished.stderr[-3000:]


def results_of(program: str, folder: Path) -> dict[str, list]:
    """Return what a program writes to the file that it is given."""
    file = folder / "results.json"
    run(program, file)
    return json.loads(file.read_text("utf-8"))


def recorded(name: str) -> dict[str, list]:
    """Return what the program of this name computed on TensorFlow."""
    return json.loads((FOLDER / "data" / f"{name}.json").read_text("utf-8"))
