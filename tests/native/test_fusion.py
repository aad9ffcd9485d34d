"""Ops that are put off and computed in one pass give what they give one by one, bit for bit."""

import gc
import threading
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape.backends import cpu, native

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)
RANDOM = np.random.default_rng(11)
UNARY = [tf.exp, tf.tanh, tf.sigmoid, tf.square, tf.abs, tf.nn.relu, tf.negative, tf.math.softplus]
BINARY = [tf.add, tf.subtract, tf.multiply, tf.maximum, tf.minimum]
SHAPE = (6, 35)
# Whole, a row, a column, a number, and shapes that the program must leave to others.
OPERANDS = [SHAPE, SHAPE, SHAPE[1:], (1, SHAPE[1]), (SHAPE[0], 1), (), (1, 1)]


@pytest.fixture(autouse=True)
def fuse_everything():
    before = native.extension.fuse_from(1)
    yield
    native.extension.fuse_from(before)


def sample(*shape: int) -> tf.Tensor:
    return tf.constant(RANDOM.standard_normal(shape).astype(np.float32))


def is_pending(x) -> bool:
    return type(x._data) is native.extension.Deferred and x._data.is_pending


def one_by_one(function, *arguments):
    before = native.extension.fuse_from(0)
    try:
        return function(*arguments)
    finally:
        native.extension.fuse_from(before)


def test_a_chain_waits_until_it_is_needed():
    x = sample(*SHAPE)
    y = tf.tanh(x * 2.0 + 1.0)
    assert is_pending(y)
    assert y.shape == SHAPE
    assert y.dtype is tf.float32
    assert is_pending(y)  # to describe it, nothing had to be computed
    expected = one_by_one(lambda: tf.tanh(x * 2.0 + 1.0)).numpy()
    np.testing.assert_array_equal(y.numpy(), expected)
    assert not is_pending(y)


@st.composite
def programs(draw):
    """A list of steps; each applies an op to earlier values, numbered from the inputs on."""
    steps = []
    values = len(OPERANDS)
    for _ in range(draw(st.integers(1, 40))):
        places = st.integers(0, values - 1)
        if draw(st.booleans()):
            steps.append((draw(st.sampled_from(UNARY)), (draw(places),)))
        else:
            steps.append((draw(st.sampled_from(BINARY)), (draw(places), draw(places))))
        values += 1
    return steps


def run(steps, inputs):
    values = list(inputs)
    for op, places in steps:
        # tanh and a clip keep the numbers in bounds, so that differences are visible.
        values.append(op(*[values[i] for i in places]))
        if len(values) % 5 == 0:
            values[-1] = tf.tanh(values[-1])
    return values


@settings(max_examples=150, deadline=None)
@given(programs())
def test_programs_give_the_same(steps):
    inputs = [sample(*shape) for shape in OPERANDS]
    fused = run(steps, inputs)
    last = fused[-1].numpy()  # the whole chain in one go, then what was not kept
    plain = one_by_one(run, steps, inputs)
    np.testing.assert_array_equal(last, plain[-1].numpy())
    for found, expected in zip(fused, plain, strict=True):
        np.testing.assert_array_equal(found.numpy(), expected.numpy())


@settings(max_examples=60, deadline=None)
@given(programs())
def test_gradients_are_the_same(steps):
    inputs = [sample(*shape) for shape in OPERANDS]

    def gradients():
        with tf.GradientTape() as tape:
            for x in inputs:
                tape.watch(x)
            y = tf.reduce_sum(tf.tanh(run(steps, inputs)[-1]))
        return [None if g is None else g.numpy() for g in tape.gradient(y, inputs)]

    for found, expected in zip(gradients(), one_by_one(gradients), strict=True):
        if expected is None:
            assert found is None
        else:
            np.testing.assert_array_equal(found, expected)


def test_long_chains_are_cut():
    x = y = sample(*SHAPE)
    for _ in range(500):
        y = y * 1.01 + x
    expected = one_by_one(lambda: x)
    total = expected.numpy().copy()
    for _ in range(500):
        total = total * np.float32(1.01) + x.numpy()
    np.testing.assert_array_equal(y.numpy(), total)


def test_what_was_computed_lets_go_of_its_operands():
    x = sample(*SHAPE)
    y = x + 1.0
    watched = weakref.ref(x._data)
    del x
    assert watched() is not None  # y is not computed yet
    y.numpy()
    gc.collect()
    assert watched() is None


def test_a_pending_value_does_not_see_later_assignments():
    v = tf.Variable(tf.ones(SHAPE))
    y = v * 2.0
    v.assign_add(tf.ones(SHAPE))
    assert is_pending(y)
    np.testing.assert_array_equal(y.numpy(), np.full(SHAPE, 2, np.float32))
    np.testing.assert_array_equal(v.numpy(), np.full(SHAPE, 2, np.float32))


def test_an_update_in_place_takes_the_chain_with_it():
    v = tf.Variable(tf.ones(SHAPE))
    place = v._data.ctypes.data
    g = sample(*SHAPE)
    v.assign_sub(0.5 * g)
    assert v._data.ctypes.data == place
    np.testing.assert_array_equal(v.numpy(), 1 - np.float32(0.5) * g.numpy())


def test_numpy_does_not_write_into_a_value_it_takes_for_temporary():
    x = tf.ones([1000, 300])
    y = x + 1.0
    data = y._data
    for _ in range(3):
        data + np.ones((1000, 300), np.float32)
        -data  # noqa: B018
    np.testing.assert_array_equal(y.numpy(), np.full((1000, 300), 2, np.float32))


def test_nothing_is_done_where_nothing_changes():
    x = sample(*SHAPE)
    assert (x * 1.0)._data is x._data
    assert (x / 1.0)._data is x._data
    assert (x - 0.0)._data is x._data
    zero = tf.constant(np.full(SHAPE, -0.0, np.float32))
    assert not np.signbit((zero + 0.0).numpy()).any()  # -0 + 0 is +0


def test_threads_may_ask_for_the_same_value():
    x = sample(400, 500)
    y = tf.tanh(x) * tf.exp(-x * x) + x
    found = []
    threads = [threading.Thread(target=lambda: found.append(y.numpy())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = one_by_one(lambda: tf.tanh(x) * tf.exp(-x * x) + x).numpy()
    for value in found:
        np.testing.assert_array_equal(value, expected)


def test_shapes_that_do_not_fit_are_an_error_at_once():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"[Ii]ncompatible shapes"):
        tf.ones([4, 5]) * tf.ones([4, 4])


def test_small_arrays_and_other_dtypes_are_computed_at_once():
    native.extension.fuse_from(1000)
    assert type((sample(3, 3) + 1.0)._data) is np.ndarray
    assert type((tf.ones([200, 200], tf.float64) + 1.0)._data) is np.ndarray
    assert type(cpu.kernel("add")(np.float32(1), np.float32(2))) is np.float32
