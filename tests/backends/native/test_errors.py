"""Interrupts, and errors that nobody expected, reach the program from wherever they come up."""

from __future__ import annotations

import gc
import itertools
import math
import operator

import pytest

import gradtape as tf
from gradtape.backends.native.extension import extension
from gradtape.core import convert
from gradtape.core.primitive import PRIMITIVES

ERRORS = [KeyboardInterrupt, SystemExit, MemoryError, RecursionError]
FRESH = itertools.count(1)


def failing_once(function, error: type[BaseException]):
    """The function, which raises the error when it is first called."""
    calls = []

    def failing(*args, **kwargs):
        calls.append(args)
        if len(calls) == 1:
            raise error("from the test")
        return function(*args, **kwargs)

    return failing


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("reflected", [False, True])
@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.mul, operator.truediv])
def test_errors_while_a_number_becomes_a_tensor(op, reflected, error, monkeypatch):
    x, number = tf.ones(3), 1e-9 * math.pi * next(FRESH)  # one that no other test has used
    monkeypatch.setattr(convert, "to_array", failing_once(convert.to_array, error))
    with pytest.raises(error):
        op(number, x) if reflected else op(x, number)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, RecursionError])
@pytest.mark.parametrize(
    ("function", "primitive"),
    [
        (tf.sinh, "cosh"),
        (tf.square, "add"),
        (lambda x: tf.exp(x) * x, "multiply"),
        (lambda x: tf.sin(x) + tf.cos(x), "add"),  # the sum of two cotangents
    ],
)
def test_errors_in_rules(function, primitive, error, monkeypatch):
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    prim = PRIMITIVES[primitive]
    monkeypatch.setattr(prim, "kernel", failing_once(prim.kernel, error))
    expected = (error, tf.errors.ResourceExhaustedError) if error is MemoryError else error
    with pytest.raises(expected):
        tape.gradient(y, x)


def test_numbers_that_do_not_fit_are_still_explained():
    with pytest.raises((TypeError, ValueError, OverflowError)):
        tf.ones(3, tf.int8) + 10**30
    assert float(tf.constant(1.0) * 10**30) == pytest.approx(1e30)


@pytest.mark.skipif(extension is None, reason="the function is in C")
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_a_callback_of_the_collector_comes_up_after_it(error, capfd):
    callback = extension.postponing_interrupts(failing_once(lambda *_: None, error))

    def collect():
        gc.collect()
        return [None for _ in range(1000)]  # it comes up at the next bytecode

    # Without those of hypothesis, in which it would come up, and be ignored; and not by a
    # collection that happens to begin before the test is ready for it.
    others = gc.callbacks[:]
    gc.disable()
    gc.callbacks[:] = [callback]
    try:
        with pytest.raises(error, match="from the test"):
            collect()
    finally:
        gc.callbacks[:] = others
        gc.enable()
    assert capfd.readouterr().err == ""
    with pytest.raises(ValueError, match="math domain"):  # other errors are the caller's
        extension.postponing_interrupts(math.sqrt)(-1.0)
