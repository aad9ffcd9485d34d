"""tensorflow_hub, unmodified, on gradtape: local models are loaded, and trained in Keras models."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("tensorflow_hub") is None,
        reason="needs tensorflow-hub: make companions",
    ),
]


def test_local_models(tmp_path):
    program = Path(__file__).with_name("hub.py")
    finished = subprocess.run(
        [sys.executable, "-m", "gradtape", "run", str(program), str(tmp_path / "model")],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not finished.returncode, finished.stderr[-3000:]
