"""Vectorized programs compiled by XLA, with their gradients."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="XLA is reached by way of JAX, an optional package")

import gradtape as tf
from gradtape.backends.xla.runtime.graph_program import COMPILED
from tests.pfor import test_masks
from tests.pfor.derivatives import MODES, arguments, assert_same, looped, vectorized
from tests.pfor.programs import PROGRAMS


@pytest.fixture(autouse=True)
def on_the_host():
    with tf.device("/CPU:0"):
        yield


def all_of(program, mapped, modes):
    functions = [MODES[mode](program, mapped) for mode in modes]
    return lambda *args: [function(*args) for function in functions]


@pytest.mark.parametrize(
    "modes",
    [("value", "tangent", "tangent inside"), ("gradient", "per example")],
    ids=["forward", "backward"],
)
@pytest.mark.parametrize("name", [*PROGRAMS, *test_masks.PROGRAMS])
def test_compiled(name, modes):
    program = {**PROGRAMS, **test_masks.PROGRAMS}[name]
    expected = all_of(program, looped, modes)(*arguments())
    before = len(COMPILED)
    function = tf.function(all_of(program, vectorized, modes), jit_compile=True)
    assert_same(function(*arguments()), expected)
    assert len(COMPILED) > before


@pytest.mark.parametrize("name", ["nested_cond", "while_in_a_while", "array_read_in_a_while"])
def test_eagerly_on_a_device(name):
    with tf.device("/XLA:0"):
        given = arguments()
        assert given[0]._is_on_device
        for mode in ("value", "gradient", "per example", "tangent"):
            expected = MODES[mode](PROGRAMS[name], looped)(*given)
            assert_same(MODES[mode](PROGRAMS[name], vectorized)(*given), expected)


def test_jacobian_of_loops_with_a_limit():
    def program(tf, x, k, w):
        def outer(i, y):
            inner = tf.while_loop(
                lambda j, y: j < i,
                lambda j, y: (j + 1, tf.sin(y) * w),
                (0, y),
                maximum_iterations=4,
            )
            return i + 1, inner[1] + x

        return tf.while_loop(lambda i, y: i < k, outer, (0, x), maximum_iterations=5)[1]

    for mode in ("jacobian", "batch jacobian", "per example"):
        before = len(COMPILED)
        function = tf.function(MODES[mode](program, vectorized), jit_compile=True)
        assert_same(function(*arguments()), MODES[mode](program, looped)(*arguments()))
        assert len(COMPILED) > before


def test_a_tape_around_a_compiled_loop():
    x = tf.constant([1.0, 2.0, 3.0])

    @tf.function(jit_compile=True)
    def cubes(x):
        step = lambda i, y: (i + 1, y * x)  # noqa: E731
        return tf.while_loop(lambda i, y: i < 2, step, (tf.constant(0) + 0, x))[1]

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = cubes(x)
    np.testing.assert_allclose(tape.gradient(y, x), 3 * x**2, rtol=1e-6)
