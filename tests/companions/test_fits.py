"""zfit, unmodified, on gradtape: likelihoods, gradients and fits are those of TensorFlow."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parent
RECORDED = json.loads((FOLDER / "data" / "fits.json").read_text("utf-8"))
# What a minimizer has found depends on where it stops: far below the errors of the parameters.
OF_MINIMA = ("minimum", "hesse", "errors", "covariance")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("zfit") is None, reason="needs zfit: make companions"
    ),
]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    file = tmp_path_factory.mktemp("fits") / "results.json"
    finished = subprocess.run(
        [sys.executable, "-m", "gradtape", "run", str(FOLDER / "fits.py"), str(file)],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(file.read_text("utf-8"))


@pytest.mark.parametrize("name", RECORDED)
def test_value(results, name):
    tolerance = 1e-6 if name.startswith(OF_MINIMA) else 1e-12
    assert len(results[name]) == len(RECORDED[name])
    for ours, theirs in zip(results[name], RECORDED[name], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)
