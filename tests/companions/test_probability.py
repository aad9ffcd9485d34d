"""TensorFlow Probability, unmodified, on gradtape: it computes what it computes on TensorFlow."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from tests.companions.programs import recorded, results_of

LIBRARY = "tensorflow_probability"
RECORDED = recorded("probability")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec(LIBRARY) is None,
        reason="needs TensorFlow Probability: make companions",
    ),
]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return results_of("probability.py", tmp_path_factory.mktemp("probability"))


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_value(results, name):
    computed, recorded = results[name], RECORDED[name]
    assert len(computed) == len(recorded)
    for ours, theirs in zip(computed, recorded, strict=True):
        # Samplers and optimizers amplify the rounding of single steps.
        np.testing.assert_allclose(
            np.asarray(ours, float), np.asarray(theirs, float), rtol=2e-3, atol=1e-4
        )


def test_it_loads_in_plain_python_and_nobody_else_finds_tensorflow():
    program = (
        "import gradtape.tensorflow, tensorflow_probability as tfp, importlib.util, sys\n"
        "print(tfp.distributions.Normal(0.0, 1.0).log_prob(0.0).numpy())\n"
        "print('tensorflow' in sys.modules)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert finished.stdout == "-0.9189385\nFalse\n", finished.stderr
