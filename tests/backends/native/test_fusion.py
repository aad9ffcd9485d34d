"""Ops that are deferred and computed in one pass give what they give one by one, bit for bit."""

import functools
import gc
import os
import pickle
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape.backends import cpu
from gradtape.backends.native import kernels as native
from tests.fusing import fusing_from, is_pending

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)
RANDOM = np.random.default_rng(11)
UNARY = [tf.exp, tf.tanh, tf.sigmoid, tf.square, tf.abs, tf.nn.relu, tf.negative, tf.math.softplus]
BINARY = [tf.add, tf.subtract, tf.multiply, tf.maximum, tf.minimum]
SHAPE = (6, 35)


@pytest.fixture(autouse=True)
def fuse_everything():
    with fusing_from(1):
        yield


def sample(*shape: int) -> tf.Tensor:
    return tf.constant(RANDOM.standard_normal(shape).astype(np.float32))


def without_fusion(function, *arguments):
    with fusing_from(0):
        return function(*arguments)


def test_a_chain_waits_until_it_is_needed():
    x = sample(*SHAPE)
    y = tf.tanh(x * 2.0 + 1.0)
    assert is_pending(y)
    assert y.shape == SHAPE
    assert y.dtype is tf.float32
    assert is_pending(y)  # to describe it, nothing had to be computed
    expected = without_fusion(lambda: tf.tanh(x * 2.0 + 1.0)).numpy()
    np.testing.assert_array_equal(y.numpy(), expected)
    assert not is_pending(y)


# --- programs, fused and one op at a time ---------------------------------------------------------

# The second is large enough for several blocks, stretches and threads.
SIZES = st.sampled_from([SHAPE, (140, 300), (3, 40, 20)])
REDUCTIONS = [tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min]
PARAMETERS = [lambda x: x**3, lambda x: tf.abs(x) ** 1.7, tf.nn.elu, lambda x: tf.sqrt(tf.abs(x))]
# Values that leave float32, or ops that are never deferred, in the middle of a chain.
OTHERS = [
    lambda x: tf.cast(tf.cast(x, tf.float64) * 1.5, tf.float32),
    lambda x: tf.where(x > 0, x, 0.5 * x),
    lambda x: tf.transpose(tf.transpose(x)),
    lambda x: tf.cast(tf.cast(x, tf.float16), tf.float32),
]


def operands(shape) -> list[tuple]:
    """Whole ones, a row, a column, numbers."""
    column = (*shape[:-1], 1)
    return [shape, shape, shape[-1:], (1, shape[-1]), column, (), (1, 1)]


@st.composite
def programs(draw, variables: bool = False):
    """A shape and a list of steps: each applies an op to earlier values, numbered from the inputs.

    Reductions keep their axes, so that what they give is spread over the others again.
    """
    shape = draw(SIZES)
    steps = []
    kinds = ["unary", "unary", "binary", "binary", "reduction", "parameter", "other"]
    if variables:
        kinds.append("assign")
    values = len(operands(shape))
    for _ in range(draw(st.integers(1, 40))):
        kind = draw(st.sampled_from(kinds))
        positions = (draw(st.integers(0, values - 1)),)
        if kind == "binary":
            op = draw(st.sampled_from(BINARY))
            positions += (draw(st.integers(0, values - 1)),)
        elif kind == "reduction":
            axis = draw(st.sampled_from([None, -1, 0]))
            reduction, keeps = draw(st.sampled_from(REDUCTIONS)), axis is not None
            op = functools.partial(reduction, axis=axis, keepdims=keeps)
        elif kind == "assign":
            op = "assign"
        else:
            choices = {"unary": UNARY, "parameter": PARAMETERS, "other": OTHERS}[kind]
            op = draw(st.sampled_from(choices))
        steps.append((op, positions))
        values += 1
    return shape, steps


def run(steps, inputs, variable=None):
    values = list(inputs)
    for op, positions in steps:
        given = [values[i] for i in positions]
        if any(x.shape.rank == 0 for x in given) and isinstance(op, functools.partial):
            made = given[0]
        elif op == "assign":
            variable.assign_add(tf.tanh(given[0]) + tf.zeros_like(inputs[0]))
            made = variable * 0.5
        else:
            made = op(*given)
        # tanh keeps the numbers in bounds, so that differences are visible.
        values.append(tf.tanh(made) if len(values) % 5 == 0 else made)
    return values


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((1, 1, 35), (6, 35)),
        ((1, 1, 1, 35), (6, 35)),
        ((2, 1, 35), (6, 35)),
        ((2, 1, 1), (6, 35)),
        ((1, 6, 1), (6, 35)),
        ((1, 1, 1), (6, 35)),
        ((1, 1), (35,)),
        ((4, 1), (35,)),
        ((1, 6, 35), (6, 35)),
    ],
)
def test_the_smaller_operand_may_have_more_axes(left, right):
    x, y = sample(*left), sample(*right)
    for function in (lambda: tf.exp(x) + tf.exp(y), lambda: tf.exp(y) - tf.exp(x)):
        result, expected = function(), without_fusion(function)
        assert result.shape == expected.shape
        same_numbers(result, expected)


def same_numbers(result, expected) -> None:
    np.testing.assert_array_equal(result.numpy(), expected.numpy())


@settings(max_examples=150)
@given(programs(variables=True))
def test_programs_give_the_same(program):
    shape, steps = program
    inputs = [sample(*own) for own in operands(shape)]

    def execute():
        variable = tf.Variable(inputs[0])
        return [*run(steps, inputs, variable), variable]

    fused = execute()
    last = fused[-2].numpy()  # the whole chain in one go, then what was not kept
    plain = without_fusion(execute)
    np.testing.assert_array_equal(last, plain[-2].numpy())
    for result, expected in zip(fused, plain, strict=True):
        same_numbers(result, expected)


@settings(max_examples=80)
@given(programs())
def test_gradients_are_the_same(program):
    shape, steps = program
    inputs = [sample(*own) for own in operands(shape)]

    def gradients():
        with tf.GradientTape() as tape:
            for x in inputs:
                tape.watch(x)
            y = tf.reduce_sum(tf.tanh(run(steps, inputs)[-1]))
        return [y, *tape.gradient(y, inputs)]

    for result, expected in zip(gradients(), without_fusion(gradients), strict=True):
        if expected is None:
            assert result is None
        else:
            same_numbers(result, expected)


# --- reductions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("axis", [None, 0, 1, 2, (0, 1), (1, 2), (0, 2), -1])
@pytest.mark.parametrize("shape", [(3, 5, 7), (2, 130, 40), (4, 9, 600), (150, 2, 33)])
def test_a_reduction_computes_the_chain_on_its_way(reduction, axis, shape):
    x = sample(*shape)
    for keepdims in (False, True):
        y = tf.tanh(x * 2.0) + x
        result = reduction(y, axis, keepdims)
        expected = without_fusion(lambda k=keepdims: reduction(tf.tanh(x * 2.0) + x, axis, k))
        assert result.shape == expected.shape
        same_numbers(result, expected)
        if axis in (None, -1) or (axis == 0 and shape[1] * shape[2] >= 32):
            assert is_pending(y)
        same_numbers(y, without_fusion(lambda: tf.tanh(x * 2.0) + x))


def test_what_is_asked_for_twice_is_computed_twice_at_the_most():
    x = sample(*SHAPE)
    y = tf.exp(x)
    tf.reduce_sum(y, 1)
    assert is_pending(y)
    tf.reduce_sum(y, 1)
    assert not is_pending(y)


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_sums_do_not_depend_on_the_number_of_threads(axis):
    x, row = sample(700, 1000), sample(1000)
    threads = native.extension.num_threads()
    result = []
    try:
        for number in (1, 2, 3, 5):
            native.extension.set_num_threads(number)
            result.append(tf.reduce_sum(tf.exp(x) * row, axis).numpy())
    finally:
        native.extension.set_num_threads(threads)
    for other in result[1:]:
        np.testing.assert_array_equal(other, result[0])


def test_a_total_waits_until_it_is_needed():
    x = sample(*SHAPE)
    total = tf.reduce_sum(tf.exp(x))
    assert is_pending(total)
    assert total.shape == ()
    assert total.dtype is tf.float32
    expected = without_fusion(lambda: tf.reduce_sum(tf.exp(x)))
    assert float(total) == float(expected)
    assert type(total.numpy()) is np.float32
    assert repr(total) == repr(expected)


def test_a_total_of_what_was_computed_meanwhile():
    y = tf.exp(sample(*SHAPE))
    total = tf.reduce_mean(y)
    y.numpy()
    assert float(total) == float(without_fusion(lambda: tf.reduce_mean(y)))


def test_the_gradient_is_there_when_it_is_returned():
    x = tf.Variable(sample(*SHAPE))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.exp(x) * tf.sin(x))
    gradient = tape.gradient(loss, x)
    assert not is_pending(gradient)
    assert not is_pending(loss)  # they share exp(x) and sin(x): one pass was for both


def test_a_total_does_not_keep_what_nobody_else_holds():
    w = tf.Variable(sample(300, 300))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w @ w))
    assert is_pending(loss)
    tape.gradient(loss, w)
    assert not is_pending(loss)  # it was all that kept the product


def test_a_total_keeps_nothing_alive_during_the_backward_pass():
    w = tf.Variable(sample(300, 300))
    seen = []

    @tf.custom_gradient
    def watched(x):
        def backward(g):
            seen.append(product() is None)
            return g

        return tf.identity(x), backward

    with tf.GradientTape() as tape:
        value = watched(w) @ w
        product = weakref.ref(value._data)
        loss = tf.reduce_sum(value * 2.0)  # whose rule does not need the product
        del value
    assert is_pending(loss)
    tape.gradient(loss, w)
    assert seen == [True]


def test_a_total_does_not_stand_in_the_way_of_an_update_in_place():
    w = tf.Variable(sample(*SHAPE))
    position = w._data.ctypes.data
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
    expected = without_fusion(lambda: tf.reduce_sum(w * w)).numpy()
    gradient = tape.gradient(loss, w)
    assert is_pending(loss)
    w.assign_sub(0.1 * gradient)
    assert w._data.ctypes.data == position
    assert loss.numpy() == expected


def test_many_totals_keep_little_alive():
    losses, arrays = [], []
    for _ in range(5):
        x = sample(*SHAPE)
        arrays.append(weakref.ref(x._data))
        losses.append(tf.reduce_sum(tf.exp(x)))
        del x
    assert sum(a() is not None for a in arrays) == 1
    assert [is_pending(total) for total in losses] == [False] * 4 + [True]


@pytest.mark.parametrize("pending_before", [0, 24])
def test_values_that_keep_more_than_they_take_are_computed_in_time(pending_before):
    native.extension.fuse_from(65_536)
    gc.collect()  # what other tests have left in cycles counts as well
    # However much was pending before: it kept one array alive, and is gone.
    x = sample(1000, 1000)
    waiting = [x + float(i) for i in range(1, 1 + pending_before)]
    assert all(is_pending(w) for w in waiting)
    del waiting, x
    products, arrays = [], []
    for _ in range(20):
        x, y = sample(1000, 1000), sample(1000, 1000)
        arrays += [weakref.ref(x._data), weakref.ref(y._data)]
        products.append(x * y)
        del x, y
    assert any(is_pending(p) for p in products)
    assert sum(a() is not None for a in arrays) <= 20


# --- eager manners --------------------------------------------------------------------------------


def test_long_chains_are_cut():
    x = y = sample(*SHAPE)
    for _ in range(500):
        y = y * 1.01 + x
    expected = without_fusion(lambda: x)
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
    position = v._data.ctypes.data
    g = sample(*SHAPE)
    v.assign_sub(0.5 * g)
    assert v._data.ctypes.data == position
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
    assert (1.0 * x)._data is x._data
    assert tf.cast(x, tf.float32) is x
    assert (x / 1.0)._data is x._data
    assert (x - 0.0)._data is x._data
    zero = tf.constant(np.full(SHAPE, -0.0, np.float32))
    assert not np.signbit((zero + 0.0).numpy()).any()  # -0 + 0 is +0


def test_threads_may_ask_for_the_same_value():
    x = sample(400, 500)
    y = tf.tanh(x) * tf.exp(-x * x) + x
    result = []
    threads = [threading.Thread(target=lambda: result.append(y.numpy())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = without_fusion(lambda: tf.tanh(x) * tf.exp(-x * x) + x).numpy()
    for value in result:
        np.testing.assert_array_equal(value, expected)


def test_shapes_that_do_not_fit_are_an_error_at_once():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"[Ii]ncompatible shapes"):
        tf.ones([4, 5]) * tf.ones([4, 4])


def test_small_arrays_and_other_dtypes_are_computed_at_once():
    native.extension.fuse_from(1000)
    assert type((sample(3, 3) + 1.0)._data) is np.ndarray
    assert type((tf.ones([200, 200], tf.float64) + 1.0)._data) is np.ndarray
    assert type(cpu.kernel("add")(np.float32(1), np.float32(2))) is np.float32


def test_a_variable_holds_an_array():
    v = tf.Variable(sample(*SHAPE) * 2.0)
    assert type(v._data) is np.ndarray
    v.assign(v * 0.9 + 0.1)
    assert type(v._data) is np.ndarray


def test_a_pending_value_can_be_copied_sent_and_printed():
    x = sample(*SHAPE)
    expected = without_fusion(lambda: tf.exp(x))
    assert repr(tf.exp(x)) == repr(expected)
    same_numbers(pickle.loads(pickle.dumps(tf.exp(x))), expected)
    np.testing.assert_array_equal(np.from_dlpack(tf.exp(x)), expected.numpy())
    np.testing.assert_array_equal(np.asarray(tf.exp(x)), expected.numpy())
    assert not np.asarray(tf.exp(x)).flags.writeable
    own = tf.exp(x).numpy()
    own[:] = 0  # a copy, as ever


def test_an_exception_leaves_values_that_can_be_used():
    x = sample(*SHAPE)
    y = tf.exp(x)
    with pytest.raises(tf.errors.InvalidArgumentError), tf.GradientTape():
        tf.reduce_sum(y * tf.ones([4, 4]))
    same_numbers(y + 1.0, without_fusion(lambda: tf.exp(x) + 1.0))


def test_nested_and_persistent_tapes_forward_mode_and_vmap():
    x = sample(*SHAPE)

    def all_of_it():
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(tf.exp(x) * tf.tanh(x))
            slope = inner.gradient(y, x)
            bend = tf.reduce_sum(slope * slope)
        with tf.autodiff.ForwardAccumulator(x, x * 2.0) as accumulator:
            z = tf.tanh(x) * x
        rows = tf.vectorized_map(lambda row: tf.reduce_sum(tf.exp(row) * row), x)
        double = [outer.gradient(bend, x), outer.gradient(y, x)]
        return [y, slope, bend, *double, accumulator.jvp(z), rows]

    for result, expected in zip(all_of_it(), without_fusion(all_of_it), strict=True):
        same_numbers(result, expected)


def test_a_custom_gradient_gets_values_as_ever():
    @tf.custom_gradient
    def clipped(x):
        return tf.tanh(x), lambda g: tf.minimum(g, 0.5) * x

    x = tf.Variable(sample(*SHAPE))

    def gradient():
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(clipped(x * 2.0) * 3.0)
        return tape.gradient(y, x)

    same_numbers(gradient(), without_fusion(gradient))


def test_the_setting_is_a_number():
    code = "import gradtape"
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "GRADTAPE_FUSE_FROM": "all"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "GRADTAPE_FUSE_FROM must be a number of elements" in result.stderr


def test_a_number_that_waits_is_a_number():
    x = sample(*SHAPE)
    expected = without_fusion(lambda: tf.reduce_sum(tf.exp(x)))._data

    def total():
        return tf.reduce_sum(tf.exp(x))._data

    assert float(total()) == float(expected)
    assert int(total()) == int(expected)
    assert hash(total()) == hash(expected)
    assert total() == expected
    with pytest.raises(TypeError, match="unsized"):
        len(total())
