"""gelu of every 16-bit number on XLA, beside SciPy's distribution function in float64."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from scipy.stats import norm

import gradtape as tf

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

DTYPES = {"bfloat16": ml_dtypes.bfloat16, "float16": np.float16}


def every_number(dtype) -> np.ndarray:
    numbers = np.arange(2**16, dtype=np.uint16).view(dtype)
    return numbers[np.isfinite(numbers.astype(np.float32))]


def check(result, exact: np.ndarray, dtype) -> None:
    """Compare within the step from a number to the next of its dtype, by which rounding can err."""
    exact = exact.astype(dtype).astype(np.float64)  # overflow, and what is too small for the dtype
    info = ml_dtypes.finfo(dtype)
    # x Φ(x) is computed in float32, where Φ(x) is 0 before bfloat16's product of the two would be.
    least = max(
        float(info.smallest_normal), 16 * float(ml_dtypes.finfo(np.float32).smallest_normal)
    )
    step = np.maximum(np.abs(exact) * float(info.eps), least)
    error = np.abs(np.asarray(result.numpy()).astype(np.float64) - exact)
    assert (error <= step).all(), np.flatnonzero(error > step)[:5]


@pytest.mark.parametrize("name", DTYPES)
def test_value_and_slope(name):
    dtype = DTYPES[name]
    numbers = every_number(dtype)
    x = numbers.astype(np.float64)
    with tf.device("/XLA:0"):
        there = tf.constant(numbers)
        with tf.GradientTape() as tape:
            tape.watch(there)
            y = tf.nn.gelu(there)
        slope = tape.gradient(y, there)
    check(y, x * norm.cdf(x), dtype)
    # A product of the cotangent, 1, and the slope, near 0 where Φ(x) and x φ(x) cancel.
    wanted = norm.cdf(x) + x * norm.pdf(x)
    error = np.abs(slope.numpy().astype(np.float64) - wanted)
    assert error.max() <= float(ml_dtypes.finfo(dtype).eps)
    assert np.isnan(tf.nn.gelu(tf.constant(np.nan, name)).numpy())


def test_float32_keeps_its_digits():
    x = np.linspace(-12, 12, 10_001, dtype=np.float32)
    with tf.device("/XLA:0"):
        y = tf.nn.gelu(tf.constant(x)).numpy()
    exact = x.astype(np.float64) * norm.cdf(x.astype(np.float64))
    np.testing.assert_allclose(y, exact, rtol=2e-5, atol=1e-30)
