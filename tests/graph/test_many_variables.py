"""What a step costs for each of its variables does not depend on how many there are.

Traces, compilations, transactions, calls of Python and bytes are counted: nothing is timed.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.native import extension
from gradtape.graph import routine as routines
from tests.allocation import peak_of

FEW, MANY = 10, 1000
COMPILED = 200  # a host's step of some thousand ops is not compiled any more
SIZE = 256  # numbers in each variable


class Steps:
    """A step of gradient descent on so many variables, and how often its Python ran."""

    def __init__(self, count: int, device: str = "/CPU:0", **options) -> None:
        with tf.device(device):
            self.variables = [tf.Variable(tf.ones(SIZE)) for _ in range(count)]
        self.traces = self.calls_of_trace = 0

        def step():
            self.traces += 1
            with tf.GradientTape() as tape:
                loss = tf.add_n([tf.reduce_sum(v * v) for v in self.variables])
            gradients = tape.gradient(loss, self.variables)
            for v, gradient in zip(self.variables, gradients, strict=True):
                v.assign_sub(0.25 * gradient)
            return loss

        self.step = tf.function(step, **options)

    def check(self, steps: int) -> None:
        for v in (self.variables[0], self.variables[-1]):
            np.testing.assert_array_equal(v, np.full(SIZE, np.float32(0.5**steps)))


def python_calls(function: Callable[[], object]) -> int:
    """How many functions of Python a call of one calls."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


@functools.cache
def traced(count: int) -> Steps:
    """Steps whose function was traced, with the calls of Python that this took."""
    steps = Steps(count)
    steps.calls_of_trace = python_calls(steps.step)
    steps.step()
    return steps


def grows_at_most_as_variables_do(measure: Callable[[Steps], int], slack: float = 1.0) -> None:
    few, many = (measure(traced(count)) for count in (FEW, MANY))
    assert many <= slack * few * MANY / FEW, f"{few} for {FEW} variables, {many} for {MANY}"


def test_one_trace_and_one_transaction(monkeypatch):
    begun, exclusively = [], routines.exclusively

    def noted(variables, *arguments):
        begun.append(len(variables))
        return exclusively(variables, *arguments)

    monkeypatch.setattr(routines, "exclusively", noted)
    for count in (FEW, MANY):
        steps = traced(count)
        begun.clear()
        for v in steps.variables:
            v.assign(np.ones(SIZE))
        for _ in range(3):
            steps.step()
        assert begun == [count] * 3
        assert steps.traces == 1
        steps.check(3)


def test_calls_of_python_in_a_trace():
    grows_at_most_as_variables_do(lambda steps: steps.calls_of_trace)


def test_calls_of_python_in_a_step_of_a_function():
    few, many = (python_calls(traced(count).step) for count in (FEW, MANY))
    # Without the extension, kernels are called by Python.
    assert many <= (few + 10 if extension is not None else few * MANY / FEW)


def test_calls_of_python_in_an_eager_step():
    grows_at_most_as_variables_do(lambda steps: python_calls(steps.step.python_function))


@pytest.mark.parametrize("name", ["SGD", "Adamax"])
def test_calls_of_python_in_a_step_of_an_optimizer(name):
    def calls(steps):
        optimizer = getattr(tf.keras.optimizers, name)(0.1)
        optimizer.build(steps.variables)
        pairs = [(tf.ones(SIZE), v) for v in steps.variables]
        optimizer.apply_gradients(pairs)
        return python_calls(lambda: optimizer.apply_gradients(pairs))

    grows_at_most_as_variables_do(calls)


def test_bytes_of_a_step():
    def peak(steps):
        result = peak_of(steps.step)
        if extension is not None:
            # The new values, and no other array of this size: they are published at one moment.
            assert result < 2 * len(steps.variables) * SIZE * 4, "the step copies variables"
        return result

    grows_at_most_as_variables_do(peak, slack=1.5)  # larger numbers are larger objects of Python


def test_a_function_of_one_variable_does_not_look_at_the_others():
    def costs(count):
        variables = traced(count).variables
        add = tf.function(lambda: variables[-1].assign_add(tf.ones(SIZE)))
        add()
        add()
        return python_calls(add), peak_of(add) < 8 * SIZE * 4

    assert costs(FEW) == costs(MANY)


needs_jax = pytest.mark.skipif(
    importlib.util.find_spec("jax") is None, reason="XLA needs JAX (make test-xla)"
)


@needs_jax
@pytest.mark.parametrize(
    ("device", "options"),
    [("/CPU:0", {"jit_compile": True}), ("/XLA:0", {})],
    ids=["compiled", "on a device"],
)
def test_one_compilation(device, options, monkeypatch):
    from gradtape.backends.xla.runtime import graph_program

    programs, compile_ = [], graph_program.Program._compile

    def noted(self, *args, **kwargs):
        ready = compile_(self, *args, **kwargs)
        programs.append(ready.call.memory_analysis())
        return ready

    monkeypatch.setattr(graph_program.Program, "_compile", noted)
    for count in (FEW, COMPILED):
        programs.clear()
        steps = Steps(count, device, **options)
        for _ in range(3):
            steps.step()
        assert steps.traces == 1
        (program,) = programs
        assert program.temp_size_in_bytes <= 1.5 * count * SIZE * 4
        if device != "/CPU:0":  # no variable is copied
            assert program.alias_size_in_bytes == count * SIZE * 4
        steps.check(3)
