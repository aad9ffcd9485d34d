"""Gradients of log_prob of every distribution of TensorFlow Probability, on gradtape."""

import importlib.util

import numpy as np
import pytest

from tests.companions.programs import results_of

LIBRARY = "tensorflow_probability"
# By these parameters the library leaves derivatives out (of the hypergeometric function, by the
# order of a Bessel function, of the zeta function): the gradients that it has on TensorFlow.
INCOMPLETE = {
    "BetaQuotient": [[0.12369736160804345], [0.5833333333333333], [0.6166666666666669], [-0.45]],
    "NoncentralChi2": [[-0.07192051811294523]],
    "Zipf": [[-1.0986122886681098]],
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec(LIBRARY) is None,
        reason="needs TensorFlow Probability: make companions",
    ),
]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return results_of("log_probs.py", tmp_path_factory.mktemp("log_probs"))


def test_every_distribution_has_a_row(results):
    assert results["left out"] == []
    assert len(results) > 115


def test_gradients_are_as_central_differences(results):
    for name, pairs in results.items():
        if name == "left out":
            continue
        assert not isinstance(pairs, str), f"{name}: {pairs}"
        for i, (gradient, differences) in enumerate(pairs):
            left_out = INCOMPLETE.get(name, [])[i : i + 1]
            np.testing.assert_allclose(
                gradient,
                left_out[0] if left_out else differences,
                rtol=1e-5,
                atol=1e-7,
                err_msg=f"{name}, argument {i}",
            )
