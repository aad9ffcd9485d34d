"""Forward mode without Python: its rules recorded from Python's, and equal to the last bit."""

from __future__ import annotations

import collections
import gc
import signal
import threading
import weakref

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends.native import kernels as native
from gradtape.core.bind import bind
from gradtape.core.native import connect
from gradtape.core.primitive import PRIMITIVES, Rule
from gradtape.core.state import EMPTY, get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.forward import ForwardAccumulator, jvp
from gradtape.ops.families import batch_elementwise
from gradtape.ops.rule_programs import record_rule
from tests.backends.native.test_core import same_bits
from tests.backends.native.test_rules import PARAMS, random_inputs, real_numbers

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)
# Elementwise rules that are no straight line, and why.
BY_PYTHON = {
    ("igamma_by_a", 1): "add_n compares shapes",
    ("nextafter", 1): "zeros of the shape of t",
    ("sign", 0): "zeros of the shape of t",
}


def forward_rules() -> list[tuple[str, int]]:
    return [
        (name, position)
        for name, prim in PRIMITIVES.items()
        if prim.batch is batch_elementwise and prim.jvps is not None
        for position, rule in enumerate(prim.jvps)
        if isinstance(rule, Rule) and "complex" not in prim.name
    ]


def runs() -> collections.Counter:
    """How often each forward rule ran without Python, by primitive and input."""
    counts: collections.Counter = collections.Counter()
    for name, position, _, count in native.extension.native_rules():
        counts[name, position - len(PRIMITIVES[name].inputs)] += count
    return counts


@pytest.fixture
def by_python(monkeypatch) -> list[str]:
    """The ops whose tangents Python has computed."""
    names: list[str] = []
    record = ForwardAccumulator.record

    def noted(self, prim, inputs, params, out):
        if any(self.tangent(x) is not None for x in inputs):
            names.append(prim.name)
        record(self, prim, inputs, params, out)

    monkeypatch.setattr(ForwardAccumulator, "record", noted)
    return names


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (5,), (2, 3)])
@pytest.mark.parametrize(
    ("name", "position"), [rule for rule in forward_rules() if rule not in BY_PYTHON]
)
def test_a_rule_runs_without_python_and_gives_the_same_bits(name, position, shape, dtype):
    prim, params = PRIMITIVES[name], PARAMS.get(name, {})
    xs = random_inputs(prim, shape, dtype)
    t = Tensor(np.full(shape, 0.7, dtype)[()])
    tangents = [t if i == position else None for i in range(len(xs))]
    for _ in range(2):  # recorded, and then found
        before = runs()[name, position]
        with ForwardAccumulator(xs[position], t) as accumulator:
            out = bind(prim, xs, params)
        moved = accumulator.jvp(out)
        assert runs()[name, position] == before + 1
        expected = jvp(prim, xs, out, params, tangents)
        assert same_bits(real_numbers(moved), real_numbers(expected))


def test_nearly_all_elementwise_rules_are_straight_lines():
    def is_recorded(name: str, position: int) -> bool:
        prim = PRIMITIVES[name]
        rule = prim.jvps[position]
        names = [prim.inputs[i] for i in sorted(rule.values)]
        dtypes = [np.dtype(bool if x == "condition" else np.float32) for x in ["t", *names]]
        dtypes += [np.dtype(np.float32)] * rule.needs_ans
        return record_rule(prim, rule, tuple(dtypes), PARAMS.get(name, {})) is not None

    rules = forward_rules()
    assert {rule for rule in rules if not is_recorded(*rule)} == set(BY_PYTHON)
    assert len(rules) >= 96


def all_kinds(x, y):
    """Linear, multilinear and other ops, with one result and with several."""
    a, b, c = tf.unstack(tf.sin(x) * y, axis=1)
    left, right = tf.split(tf.stack([a, b, c, a / b], 1), 2, 1)
    joined = tf.concat([left @ tf.transpose(right), x[:, 1:] - 0.5, tf.ones((2, 1), x.dtype)], 1)
    return tf.reduce_sum(tf.einsum("ij,kj->ik", joined, joined) ** 2, 1) + tf.reduce_mean(x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_no_kind_of_op_needs_python(by_python, dtype):
    x, y = (tf.constant(np.linspace(low, 2, 6).reshape(2, 3), dtype) for low in (0.5, 1))
    with ForwardAccumulator(x, tf.cos(x)) as accumulator:
        z = all_kinds(x, y)
    assert by_python == []
    with tf.GradientTape() as tape:
        tape.watch(x)
        same = all_kinds(x, y)
    expected = np.tensordot(tape.jacobian(same, x), tf.cos(x), 2)
    np.testing.assert_allclose(accumulator.jvp(z), expected, rtol=1e-4)


def test_no_python_under_other_listeners_and_with_variables(by_python):
    x, v = tf.constant([0.5, 2.0]), tf.Variable([1.0, 3.0])
    with tf.GradientTape(), ForwardAccumulator(v, tf.constant([1.0, 1.0])) as outer:
        with ForwardAccumulator(x, tf.constant([0.1, 0.2])) as inner:
            y = tf.tanh(x * v) / (1.0 + x)
        outer.jvp(inner.jvp(y))
    tf.vmap(lambda t: tf.jvp(lambda x: tf.sin(x) * v - x / 2.0, (x,), (t,))[1])(tf.eye(2))
    assert by_python == []


def test_a_tangent_is_broadcast_to_the_shape_of_the_result():
    x, column = tf.constant(2.0), tf.constant([[1.0], [2.0]])
    with ForwardAccumulator([x, column], [tf.constant(3.0), tf.ones((2, 1))]) as accumulator:
        results = [x + tf.zeros((2, 2)), column * tf.ones(2), tf.zeros((1, 2)) - x, x + 1.0]
    shown = [moved.numpy().tolist() for moved in accumulator.jvp(results)]
    assert shown == [[[3.0, 3.0]] * 2, [[1.0, 1.0]] * 2, [[-3.0, -3.0]], 3.0]


def test_a_subclass_records_by_its_own_method():
    class Counting(ForwardAccumulator):
        count = 0

        def record(self, *args):
            self.count += 1
            super().record(*args)

    x = tf.constant(2.0)
    with Counting(x, tf.constant(1.0)) as accumulator:
        y = x * x
    assert accumulator.count == 1
    assert float(accumulator.jvp(y)) == 4.0


def test_a_rule_put_in_place_at_run_time_is_used(monkeypatch):
    x, one = tf.constant(0.0), tf.constant(1.0)
    assert float(tf.jvp(tf.sin, (x,), (one,))[1]) == 1
    other = Rule(lambda t, x: t * (x + 5.0), ("x",), False)
    monkeypatch.setattr(PRIMITIVES["sin"], "jvps", (other,))
    assert float(tf.jvp(tf.sin, (x,), (one,))[1]) == 5
    monkeypatch.undo()
    assert float(tf.jvp(tf.sin, (x,), (one,))[1]) == 1


def test_a_rule_that_reads_a_shape_is_left_to_python(monkeypatch, by_python):
    rule = Rule(lambda t, x: t * float(len(x.shape)), ("x",), False)
    monkeypatch.setattr(PRIMITIVES["sin"], "jvps", (rule,))
    moved = tf.jvp(tf.sin, (tf.ones((2, 2)),), (tf.ones((2, 2)),))[1]
    assert by_python == ["sin"]
    assert moved.numpy().tolist() == [[2.0, 2.0]] * 2


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_interrupts_the_recording_is_not_lost(monkeypatch, error):
    def interrupted(*args):
        raise error

    rule = Rule(lambda t, x: t * 3.0, ("x",), False)
    monkeypatch.setattr(PRIMITIVES["sin"], "jvps", (rule,))
    x, one = tf.constant(1.0), tf.constant(1.0)
    connect(record_rule=interrupted)
    try:
        with pytest.raises(error):
            tf.jvp(tf.sin, (x,), (one,))
    finally:
        connect(record_rule=record_rule)
    assert get_state() is EMPTY
    assert float(tf.jvp(tf.sin, (x,), (one,))[1]) == 3


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_in_the_middle_of_a_rule_restores_the_state(monkeypatch, error, again):
    """The kernel of the op that computes the tangent fails: of a linear op, called once more."""
    x, calls = tf.constant([[1.0, 2.0]]), []
    kernel = PRIMITIVES["transpose"].kernel

    def failing(*args, **params):
        calls.append(args)
        if len(calls) == 2:
            raise error("in a kernel")
        return kernel(*args, **params)

    monkeypatch.setattr(PRIMITIVES["transpose"], "kernel", failing)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with ForwardAccumulator(x, tf.ones((1, 2))) as accumulator:
            before = get_state()
            with pytest.raises((error, tf.errors.InternalError)):
                tf.transpose(x)
            assert get_state() is before
            y = tf.transpose(x) if again else x * 2.0
    assert get_state() is EMPTY
    assert accumulator.jvp(y).numpy().tolist() == ([[1.0], [1.0]] if again else [[2.0, 2.0]])


def test_a_signal_in_the_middle_of_a_rule_is_not_lost(monkeypatch):
    """Its handler runs while a kernel of the rule does, and raises."""
    x, kernel = tf.constant(0.5), PRIMITIVES["cos"].kernel

    def interrupt(*_):
        raise KeyboardInterrupt

    def signaling(y):
        signal.raise_signal(signal.SIGINT)
        return kernel(y)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        monkeypatch.setattr(PRIMITIVES["cos"], "kernel", signaling)
        with pytest.raises(KeyboardInterrupt):
            tf.jvp(tf.sin, (x,), (x,))
        assert get_state() is EMPTY
        monkeypatch.undo()
        assert float(tf.jvp(tf.square, (x,), (x,))[1]) == 0.5
    finally:
        signal.signal(signal.SIGINT, before)


def test_threads_have_accumulators_of_their_own():
    wrong = []

    def work(number: int) -> None:
        x = tf.constant([float(number), 1.0])
        for _ in range(200):
            with ForwardAccumulator(x, tf.constant([1.0, 0.0])) as accumulator:
                y = x**3 * tf.exp(x * 0.0)
            if accumulator.jvp(y).numpy().tolist() != [3.0 * number**2, 0.0]:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_cycle_through_a_tangent_is_collected():
    x = tf.constant([1.0, 2.0])
    with ForwardAccumulator(x, x) as accumulator:
        y = x * x
    tangent = accumulator.jvp(y)
    tangent.primal = y  # y has a mark with its tangent
    gone = weakref.ref(tangent)
    del tangent, y, accumulator
    gc.collect()
    assert gone() is None


def test_a_tensor_keeps_nothing_of_an_accumulator_that_watched_it():
    x = tf.constant([1.0, 2.0])
    tangent = tf.constant([1.0, 1.0])
    gone = weakref.ref(tangent)
    with ForwardAccumulator(x, tangent) as accumulator:
        y = tf.sin(x)
    del tangent, accumulator, y
    gc.collect()
    assert gone() is None
