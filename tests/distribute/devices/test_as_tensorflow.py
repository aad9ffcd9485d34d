"""The programs give the numbers that TensorFlow's MirroredStrategy gave."""

from __future__ import annotations

import json

import numpy as np
import pytest

import gradtape as tf
from tests.distribute.programs import PROGRAMS
from tests.distribute.record import FILE

RECORDED = json.loads(FILE.read_text("utf-8"))


def assert_alike(result, expected, path=""):
    if isinstance(expected, dict):
        assert result.keys() == expected.keys(), path
        for key in expected:
            assert_alike(result[key], expected[key], f"{path}/{key}")
        return
    if isinstance(expected, list) and any(isinstance(each, list) for each in expected):
        for i, (a, b) in enumerate(zip(result, expected, strict=True)):
            assert_alike(a, b, f"{path}/{i}")
        return
    np.testing.assert_allclose(result, expected, 2e-5, 2e-6, err_msg=path)


# Two replicas, in two processes, are compared by tests/distribute/test_replicas_of_processes.py.
@pytest.mark.parametrize("count", [pytest.param(2, marks=pytest.mark.slow), 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_are_those_of_tensorflow(name, count):
    strategy = tf.distribute.MirroredStrategy([f"CPU:{i}" for i in range(count)])
    assert strategy.num_replicas_in_sync == count
    assert_alike(PROGRAMS[name](tf, strategy), RECORDED[str(count)][name])


@pytest.mark.parametrize("name", ["custom loop", "gan", "fit"])
def test_programs_run_with_one_replica_too(name):
    """For them, the number of replicas makes no difference."""
    strategy = tf.distribute.MirroredStrategy(["CPU:0"])
    assert_alike(PROGRAMS[name](tf, strategy), RECORDED["2"][name])
