"""Native attention and recurrent layers beside NumPy's kernels, computed in float64."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape import ops
from tests.backends.native.kernels import (
    Declined,
    native_kernel,
    needs_extension,
    numpy_kernel,
    threads,
)
from tests.backends.native.test_convolution import close, numbers

pytestmark = needs_extension


def compare(name: str, *arrays, **params):
    expected = numpy_kernel(name)(*[x.astype(np.float64) for x in arrays], **params)
    actual = native_kernel(name)(*arrays, **params)
    for y, z in zip(actual, expected, strict=True):
        close(y, z, 500)
    return actual


NO_BIAS = np.zeros((1, 1, 1, 1), np.float32)
BIASES = {
    "no bias": lambda *full: NO_BIAS,
    "a bias": numbers,
    "a bias of keys": lambda b, n, t, s: numbers(1, n, 1, s),
    "a mask": lambda b, n, t, s: np.where(numbers(b, 1, t, s) > -1, 0, -2e38).astype(np.float32),
    "nothing open": lambda b, n, t, s: np.full((1, 1, 1, s), -2e38, np.float32),
}


@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(
    "sizes",  # batch, queries, keys, heads, depth, width
    [(2, 3, 5, 2, 4, 3), (1, 17, 33, 3, 8, 8), (1, 600, 300, 1, 8, 8), (1, 5, 4000, 2, 4, 4)],
    ids=repr,
)
def test_attention(sizes, causal, bias):
    b, t, s, n, d, e = sizes
    q, k, v = numbers(b, t, n, d), numbers(b, s, n, d, seed=1), numbers(b, s, n, e, seed=2)
    bias = BIASES[bias](b, n, t, s)
    params = {"scale": 0.3, "causal": causal}
    result, logs = compare("attention", q, k, v, bias, **params)
    g = numbers(*result.shape, seed=3)
    compare("attention_grad", q, k, v, bias, result, logs, g, **params)


def test_a_masked_nan_is_not_seen():
    q, k, v = numbers(1, 2, 1, 4), numbers(1, 3, 1, 4, seed=1), numbers(1, 3, 1, 4, seed=2)
    k[0, 1] = np.nan
    mask = np.array([0, -2e38, 0], np.float32).reshape(1, 1, 1, 3)
    for kernel in (native_kernel("attention"), numpy_kernel("attention")):
        assert np.isfinite(kernel(q, k, v, mask, scale=1.0, causal=False)[0]).all()


def test_memory_of_attention_is_linear_in_the_length():
    """4,096 queries with as many keys: all scores would be 64 MB for each head."""
    import tracemalloc

    q = numbers(1, 4096, 1, 8)
    tracemalloc.start()
    numpy_kernel("attention")(q, q, q, NO_BIAS, scale=0.1, causal=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 32e6


@pytest.mark.parametrize(
    "sizes", [(1, 1, 1, 1), (2, 3, 5, 4), (7, 9, 11, 19), (5, 6, 33, 48), (20, 3, 9, 21)]
)
@pytest.mark.parametrize("input_gradient", [False, True])
def test_lstm(sizes, input_gradient):
    batch, steps, inputs, units = sizes
    x, h, c = numbers(batch, steps, inputs), numbers(batch, units), numbers(batch, units, seed=1)
    w, u, b = (0.3 * numbers(n, 4 * units) for n in (inputs, units, 1))
    results = compare("lstm", x, h, c, w, u, b[0])
    g = [numbers(batch, steps, units, seed=seed) for seed in (2, 3)]
    compare("lstm_grad", x, h, c, w, u, *results, *g, b[0], input_gradient=input_gradient)


@pytest.mark.parametrize(
    "sizes", [(1, 1, 1, 1), (2, 3, 5, 4), (7, 9, 11, 19), (5, 6, 33, 48), (20, 3, 9, 21)]
)
@pytest.mark.parametrize("input_gradient", [False, True])
def test_gru(sizes, input_gradient):
    batch, steps, inputs, units = sizes
    x, h = numbers(batch, steps, inputs), numbers(batch, units)
    w, u, b = (0.3 * numbers(n, 3 * units) for n in (inputs, units, 2))
    results = compare("gru", x, h, w, u, b)
    g = numbers(batch, steps, units, seed=2)
    compare("gru_grad", x, h, w, u, *results, g, b, input_gradient=input_gradient)


@pytest.mark.parametrize("batch", [1, 9, 32])
def test_bits_do_not_depend_on_the_number_of_threads(batch):
    """With many examples for each thread, steps read the inputs; with few, all are read ahead."""
    x, h, c = numbers(batch, 20, 40), numbers(batch, 64), numbers(batch, 64, seed=1)
    w, u, b = 0.3 * numbers(40, 256), 0.3 * numbers(64, 256), numbers(256)
    w3, u3, b3 = w[:, :192].copy(), u[:, :192].copy(), numbers(2, 192)
    g = [numbers(batch, 20, 64, seed=seed) for seed in (2, 3)]
    actual = []
    for number in (1, 2, 3, 8):
        with threads(number):
            states = native_kernel("lstm")(x, h, c, w, u, b)
            actual.append([*states])
            actual[-1] += native_kernel("lstm_grad")(
                x, h, c, w, u, *states, *g, b, input_gradient=True
            )
            states = native_kernel("gru")(x, h, w3, u3, b3)
            actual[-1] += states
            actual[-1] += native_kernel("gru_grad")(
                x, h, w3, u3, *states, g[0], b3, input_gradient=True
            )
    for other in actual[1:]:
        for y, z in zip(other, actual[0], strict=True):
            np.testing.assert_array_equal(y, z)


def test_gradients_that_are_views():
    """A sum's gradient is one number spread over a shape: it is copied, not declined."""
    x, state = tf.constant(numbers(2, 3, 4)), tf.zeros((2, 5))
    w, u, b = (tf.constant(numbers(*s)) for s in ((4, 20), (5, 20), (20,)))
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = tf.reduce_sum(ops.lstm(x, state, state, w, u, b)[0])
    spread = np.broadcast_to(np.float32(1), (2, 3, 5))
    results = native_kernel("lstm")(*[t.numpy() for t in (x, state, state, w, u, b)])
    zeros = np.zeros((2, 3, 5), np.float32)
    shares = native_kernel("lstm_grad")(
        *[t.numpy() for t in (x, state, state, w, u)],
        *results,
        spread,
        zeros,
        b.numpy(),
        input_gradient=True,
    )
    np.testing.assert_allclose(tape.gradient(y, w), shares[3], rtol=1e-5, atol=1e-6)


def test_other_dtypes_are_left_to_numpy():
    q = np.ones((1, 2, 1, 4))
    with pytest.raises(Declined):
        native_kernel("attention")(q, q, q, NO_BIAS, scale=1.0, causal=False)
