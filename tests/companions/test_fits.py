"""zfit, unmodified, on gradtape: likelihoods, gradients and fits are those of TensorFlow."""

import importlib.util

import numpy as np
import pytest

from tests.companions.programs import recorded, results_of

RECORDED = recorded("fits")
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
    return results_of("fits.py", tmp_path_factory.mktemp("fits"))


@pytest.mark.parametrize("name", RECORDED)
def test_value(results, name):
    tolerance = 1e-6 if name.startswith(OF_MINIMA) else 1e-12
    assert len(results[name]) == len(RECORDED[name])
    for ours, theirs in zip(results[name], RECORDED[name], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)
