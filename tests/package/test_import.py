"""`import gradtape` is light: quick, silent, and without the heavy libraries."""

import json
import os
import subprocess
import sys

# The heavy ones; gradtape imports them only where something that needs them is called.
HEAVY = ("scipy", "keras", "jax", "tensorflow", "torch")
ALLOWED_SECONDS = 0.15
RUNS = 7

# Of the processor, not of the clock: the tests beside this one keep the machine busy.
TIMED = "import time; s = time.process_time(); import {}; print(time.process_time() - s)"


def python(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program]
    environment = {**os.environ, **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def seconds_to_import(module: str, bytecode: str) -> float:
    variables = {"PYTHONPYCACHEPREFIX": bytecode, "PYTHONDONTWRITEBYTECODE": ""}
    finished = python(TIMED.format(module), **variables)
    assert finished.returncode == 0, finished.stderr
    return float(finished.stdout)


def test_import_prints_nothing():
    finished = python("import gradtape")
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


def test_import_leaves_the_heavy_libraries_alone():
    finished = python("import gradtape, json, sys; print(json.dumps(sorted(sys.modules)))")
    assert finished.returncode == 0, finished.stderr
    loaded = {name.split(".")[0] for name in json.loads(finished.stdout)}
    assert "numpy" in loaded
    assert not loaded & set(HEAVY)


def test_import_takes_little_longer_than_numpy(tmp_path):
    # From bytecode, as after an installation: the first run compiles it into a folder of ours.
    bytecode = str(tmp_path)
    seconds_to_import("gradtape", bytecode)
    # Interleaved, and the best of each, so that a busy machine does not decide.
    modules = ("numpy", "gradtape")
    runs = [[seconds_to_import(module, bytecode) for module in modules] for _ in range(RUNS)]
    numpy_seconds, gradtape_seconds = map(min, zip(*runs, strict=True))
    assert gradtape_seconds - numpy_seconds <= ALLOWED_SECONDS
