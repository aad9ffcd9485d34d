"""Python's control flow on tensors in a tf.function: never wrong, and it says what it does."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf
from tests.graph.branching import PROGRAMS, results

RECORDED = json.loads(Path(__file__).with_name("control_values.json").read_text(encoding="utf-8"))
# Loops over rows of a known number and conditions on Python's values need no values of tensors.
TRACED = {"comprehension", "for_over_rows", "enumerated"}
COMPILED = [
    False,
    pytest.param(
        True,
        marks=pytest.mark.skipif(
            find_spec("jax") is None, reason="XLA is reached by way of JAX, an optional package"
        ),
    ),
]


def assert_same(result: list, expected: list, rtol: float) -> None:
    for (values, gradient), (wanted, slope) in zip(result, expected, strict=True):
        for a, b in zip(values, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol)
        # Where no path leads back, eager code gives None and TensorFlow's conditions give zero.
        zero = 0.0 * np.asarray(0.0 if slope is None else slope)
        gradient, slope = (zero if g is None else g for g in (gradient, slope))
        np.testing.assert_allclose(gradient, slope, rtol=rtol, atol=rtol)


def test_there_are_values_for_all():
    assert RECORDED.keys() == PROGRAMS.keys()


@pytest.mark.parametrize("jit_compile", COMPILED, ids=["graph", "xla"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_eager_code_and_as_tensorflow(name, jit_compile, caplog):
    result = results(name, lambda f: tf.function(f, jit_compile=jit_compile or None))
    # The same ops; XLA rounds a few of them in another order (float32: half an ulp is 6e-8).
    assert_same(result, results(name, lambda f: f), 1e-6 if jit_compile else 0.0)
    assert_same(result, RECORDED[name], 1e-6)
    assert caplog.text.count(f"{name} runs eagerly") == (name not in TRACED)
    if name not in TRACED:
        assert "branching.py:" in caplog.text


@pytest.mark.parametrize("name", PROGRAMS)
def test_inside_of_another_function(name):
    """The function that needs values runs eagerly; so does the one around it."""
    wrapped = results(name, lambda f: tf.function(lambda *args: tf.function(f)(*args)))
    assert_same(wrapped, results(name, lambda f: f), 0.0)


def test_an_assertion_fails_on_the_call_that_breaks_it():
    function, _ = PROGRAMS["asserted"]
    traced = tf.function(function)
    assert float(traced(tf.constant(1.0))) == 0.0
    with pytest.raises(AssertionError, match="only positive numbers"):
        traced(tf.constant(-1.0))
    assert float(traced(tf.constant(1.0))) == 0.0
