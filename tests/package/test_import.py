"""`import gradtape` is light: silent, with few calls, and without the heavy libraries."""

import json
import os
import subprocess
import sys

from tests.import_calls import calls_of

# The heavy ones; gradtape imports them only where something that needs them is called.
HEAVY = ("scipy", "keras", "jax", "tensorflow", "torch")


def python(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program]
    environment = {**os.environ, **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_import_prints_nothing():
    finished = python("import gradtape")
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


def test_import_leaves_the_heavy_libraries_alone():
    finished = python("import gradtape, json, sys; print(json.dumps(sorted(sys.modules)))")
    assert finished.returncode == 0, finished.stderr
    loaded = {name.split(".")[0] for name in json.loads(finished.stdout)}
    assert "numpy" in loaded
    assert not loaded & set(HEAVY)


def test_import_does_little(tmp_path):
    """About what importing NumPy did before 2.5, which does a quarter less."""
    numpy, both = (calls_of(f"import {name}", tmp_path) for name in ("numpy", "gradtape"))
    assert both - numpy <= 147_000
