"""Indices are data: how many programs XLA compiles does not grow with the places looked at."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import jax

import gradtape as tf
from gradtape.backends.xla.runtime.tensor import EAGER, DeviceTensor
from gradtape.core.recent import Recent

COMPILED = "/jax/core/compile/backend_compile_duration"
X = np.arange(120 * 4, dtype=np.float32).reshape(120, 4)
POSITIONS = range(100)


@pytest.fixture(autouse=True)
def on_device():
    with tf.device("/XLA:0"):
        yield


class Compilations:
    """Counts the programs that XLA compiles in a block."""

    def __enter__(self):
        EAGER.forget()
        self.count = 0
        jax.monitoring.register_event_duration_secs_listener(self._hear)
        return self

    def _hear(self, event: str, seconds: float, **rest) -> None:
        self.count += event == COMPILED

    def __exit__(self, *error) -> None:
        jax.monitoring.unregister_event_duration_listener(self._hear)


def rolled_back(i, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.roll(x, i, 0) * x
    return tape.gradient(y, x)


def slope(i, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[i] * x[i]
    return tape.gradient(y, x)


def row_of(i):
    result = np.zeros_like(X)
    result[i] = 2 * X[i]
    return result


USES = {
    "x[i]": (lambda i, x: x[i], lambda i: X[i]),
    "x[-i - 1]": (lambda i, x: x[-i - 1], lambda i: X[-i - 1]),
    "x[i, 1]": (lambda i, x: x[i, 1], lambda i: X[i, 1]),
    "x[i:i + 5]": (lambda i, x: x[i : i + 5], lambda i: X[i : i + 5]),
    "x[i:i + 9:2, ::-1]": (lambda i, x: x[i : i + 9 : 2, ::-1], lambda i: X[i : i + 9 : 2, ::-1]),
    "x[i + 3:i:-1]": (lambda i, x: x[i + 3 : i : -1], lambda i: X[i + 3 : i : -1]),
    "tensor i": (lambda i, x: x[tf.constant(i)], lambda i: X[i]),
    "tf.slice": (lambda i, x: tf.slice(x, [i, 1], [3, 2]), lambda i: X[i : i + 3, 1:3]),
    "tf.roll": (lambda i, x: tf.roll(x, i, 0), lambda i: np.roll(X, i, 0)),
    "tf.pad": (
        lambda i, x: tf.pad(x, [[i, 100 - i], [0, 0]]),
        lambda i: np.pad(X, [(i, 100 - i), (0, 0)]),
    ),
    "gradient of x[i]": (slope, row_of),
    "gradient of tf.roll": (rolled_back, lambda i: np.roll(X, i, 0) + np.roll(X, -i, 0)),
}


@pytest.mark.parametrize("name", USES)
def test_programs_do_not_grow_with_the_places(name):
    use, wanted = USES[name]
    x = tf.constant(X)
    with Compilations() as compiled:
        result = [use(i, x) for i in POSITIONS]
    assert compiled.count <= 8, f"{compiled.count} programs for {len(POSITIONS)} places"
    for i, y in zip(POSITIONS, result, strict=True):
        assert type(y) is DeviceTensor
        np.testing.assert_array_equal(y, wanted(i))


def test_rows_of_a_loop():
    x = tf.constant(X)
    with Compilations() as compiled:
        rows = list(x)
    assert compiled.count <= 2
    np.testing.assert_array_equal(np.stack([row.numpy() for row in rows]), X)


def test_parts_of_a_variable_are_written():
    v, wanted = tf.Variable(X), X.copy()
    row, pair = tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([[5.0], [6.0]])
    with Compilations() as compiled:
        for i in POSITIONS:
            v[i].assign(row)
            v[i + 1 : i + 5 : 3, 1:2].assign(pair)
            wanted[i] = [1, 2, 3, 4]
            wanted[i + 1 : i + 5 : 3, 1:2] = [[5], [6]]
    assert compiled.count <= 10
    np.testing.assert_array_equal(v, wanted)


ENTRIES = [
    0,
    -1,
    2,
    slice(None),
    slice(1, 3),
    slice(None, None, 2),
    slice(3, 0, -2),
    slice(2, 2),
    slice(5, 1),
    slice(-3, 9),
    slice(None, None, -1),
]


@pytest.mark.parametrize("first", ENTRIES, ids=str)
def test_every_kind_of_index(first):
    """Reading, its gradient (which writes into zeros), and writing, as NumPy's."""
    values = np.arange(24, dtype=np.float32).reshape(4, 6)
    x, v = tf.constant(values), tf.Variable(values)
    for key in [(None, first), (..., first), (first, 2), (first, slice(4, 0, -3))]:
        wanted = values[key]
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x[key]
        np.testing.assert_array_equal(y, wanted)
        slopes = np.zeros_like(values)
        slopes[key] = wanted
        np.testing.assert_array_equal(tape.gradient(y, x, tf.constant(wanted)), slopes)
        v.assign(values)
        v[key].assign(tf.constant(wanted + 100))
        changed = values.copy()
        changed[key] += 100
        np.testing.assert_array_equal(v, changed)


def test_errors_are_those_of_the_host():
    x = tf.constant(X)
    for key in (120, -121, (0, 4)):
        with pytest.raises(ValueError, match=r"slice index .* out of bounds: .* \[120, 4\]"):
            x[key]
    with pytest.raises(ValueError, match="must be non-zero"):
        x[::0]


def test_programs_that_are_not_used_are_forgotten(monkeypatch):
    monkeypatch.setattr(EAGER, "_ops", Recent(3))
    x = tf.constant(X)
    for axis in (0, 1, (0, 1), -1):
        tf.reduce_sum(x, axis)
        tf.reduce_max(x)
    assert len(EAGER._ops) == 3
    assert "reduce_max" in [key[0].name for key in EAGER._ops]
