"""`tf.case` in functions: errors about the values of its conditions come when the graph runs."""

from __future__ import annotations

import pytest

import gradtape as tf


@pytest.mark.parametrize("jit", [False, None])
def test_conditions_that_are_known_at_run_time(jit):
    @tf.function(jit_compile=jit)
    def first(x):
        return tf.case([(x > 5.0, lambda: x * 2.0)])

    @tf.function(jit_compile=jit)
    def one(x):
        pairs = [(x > 0.0, lambda: x * 2.0), (x > 1.0, lambda: x * x)]
        return tf.case(pairs, default=lambda: x * 1.0, exclusive=True)

    assert float(first(tf.constant(6.0))) == 12.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="None of the conditions"):
        first(tf.constant(3.0))
    assert float(one(tf.constant(0.5))) == 1.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than one condition"):
        one(tf.constant(3.0))
