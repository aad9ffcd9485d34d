"""Every op of the rules' cases in a traced function: values and derivatives as in eager code."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import gradtape as tf
from tests.graph.compared import assert_same, derivatives, is_traced
from tests.ops.test_rules import CASES


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_traced_as_eager(case, caplog):
    caplog.set_level(logging.ERROR, "gradtape")
    tensors = [tf.constant(np.asarray(a)) for a in case.args]
    tf.random.set_seed(1)
    expected = derivatives(case.function, tensors, case.order)
    traced = tf.function(case.function)
    assert_same(derivatives(traced, tensors, case.order), expected)
    whole = tf.function(lambda *xs: derivatives(case.function, list(xs), case.order))
    assert_same(list(whole(*tensors)), expected)
    assert is_traced(traced)
