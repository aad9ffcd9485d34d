"""Programs that are wrong: the error shows the user's line, and leaves no half-made function."""

from __future__ import annotations

import logging
import traceback

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.state import EMPTY, get_state


def shown(call) -> str:
    """What Python prints for the error of a call."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 (the text is looked at)
        call()
    return "".join(traceback.format_exception(caught.value))


def is_clean() -> bool:
    return get_state() is EMPTY and tf.executing_eagerly()


def test_an_error_while_tracing_shows_the_line_and_is_forgotten():
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        v.assign_add(1.0)
        y = tf.ones([2, 3]) @ x  # the line
        return y + v

    for _ in range(2):
        text = shown(lambda: f(tf.ones([2, 3])))
        assert "tf.ones([2, 3]) @ x  # the line" in text
        assert "In[0]: [2, 3], In[1]: [2, 3]" in text
        assert f.experimental_get_tracing_count() == 0
        assert not f._cache.entries
        assert float(v) == 1.0
        assert is_clean()
    assert f(tf.ones([3, 1])).shape == (2, 1)


def test_any_exception_of_the_program_comes_through():
    @tf.function
    def f(x, key):
        return {"a": x}[key]  # the line

    text = shown(lambda: f(tf.ones(2), "b"))
    assert "KeyError: 'b'" in text
    assert '{"a": x}[key]  # the line' in text
    assert f.experimental_get_tracing_count() == 0
    assert is_clean()
    assert f(tf.ones(2), "a").shape == (2,)


def test_an_error_while_a_gradient_is_traced():
    @tf.custom_gradient
    def broken(x):
        def gradient(upstream):
            raise RuntimeError("no gradient today")

        return x * 2.0, gradient

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = broken(x)
        return tape.gradient(y, x)

    text = shown(lambda: f(tf.constant(1.0)))
    assert "no gradient today" in text
    assert 'raise RuntimeError("no gradient today")' in text
    assert is_clean()


def test_variables_made_by_a_trace_that_fails():
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(2.0))
        return made[0] * tf.reshape(x, [2])

    shown(lambda: f(tf.ones(3)))
    assert float(tf.reduce_sum(f(tf.ones(2)))) == 4.0
    assert is_clean()


def test_an_error_of_a_call_shows_the_line_of_the_op():
    @tf.function
    def f(x, i):
        y = tf.sin(x)
        return tf.gather(y, i)  # the line

    f(tf.ones(3), tf.constant([1]))
    for _ in range(2):
        text = shown(lambda: f(tf.ones(3), tf.constant([7])))
        assert "indices[0] = 7 is not in [0, 3)" in text
        assert "test_errors.py" in text
        assert text.count("return tf.gather(y, i)  # the line") == 1
    assert f(tf.ones(3), tf.constant([1])).shape == (1,)


def test_an_assertion_that_fails_shows_its_line():
    @tf.function
    def f(x):
        tf.debugging.assert_positive(x, "all of it")  # the line
        return x

    f(tf.ones(3))
    text = shown(lambda: f(-tf.ones(3)))
    assert "all of it" in text
    assert 'tf.debugging.assert_positive(x, "all of it")  # the line' in text


@pytest.mark.parametrize("error", [ValueError, KeyError, tf.errors.UnavailableError])
def test_an_effect_that_fails_is_not_passed_over(error):
    def refuse(text):
        raise error("no more paper")

    @tf.function
    def f(x):
        tf.print(x, output_stream=refuse)
        return tf.cond(x > 0, lambda: x * 2.0, lambda: x)

    with pytest.raises(error, match="no more paper"):
        f(tf.constant(1.0))


def test_an_effect_that_fails_inside_a_branch():
    def refuse(text):
        raise ValueError("no more paper")

    @tf.function
    def f(x):
        def printed():
            tf.print(x, output_stream=refuse)
            return x * 2.0

        return tf.cond(x > 0, printed, lambda: x)

    assert float(f(tf.constant(-1.0))) == -1.0
    with pytest.raises(ValueError, match="no more paper"):
        f(tf.constant(1.0))


def test_a_call_that_fails_writes_nothing():
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f(i):
        v.assign(v * 2.0)
        return tf.gather(v, i)

    f(tf.constant(0))
    shown(lambda: f(tf.constant(5)))
    np.testing.assert_array_equal(v.numpy(), [2.0, 4.0])


def test_without_jax_a_sentence_says_what_to_install(caplog, monkeypatch):
    from gradtape.backends.xla.runtime import choose

    caplog.set_level(logging.WARNING, "gradtape")
    monkeypatch.setattr(choose, "find_spec", lambda name: None)
    monkeypatch.setattr(choose, "_warned", set())
    f = tf.function(lambda x: x * 2.0, jit_compile=True)
    assert float(f(tf.constant(2.0))) == 4.0
    assert "JAX is not installed" in caplog.text
    assert 'pip install "gradtape[xla]"' in caplog.text


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_checks_happen_where_numpy_raises(value, dtype):
    """An op after which NumPy raises is computed again: that must not pass over effects."""

    @tf.function
    def checked(x):
        return tf.debugging.check_numerics(tf.exp(x * 0.0) * x, "found")

    x = tf.constant([1.0, value], dtype)
    with np.errstate(all="raise"), pytest.raises(tf.errors.InvalidArgumentError, match="found"):
        checked(x)
