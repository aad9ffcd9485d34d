"""Comparisons and choices in deferred chains give what they give one by one, bit for bit."""

import threading
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape.backends.native import kernels as native
from tests.fusing import fusing_from, is_pending

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)
RANDOM = np.random.default_rng(5)
COMPARISONS = [tf.equal, tf.not_equal, tf.less, tf.less_equal, tf.greater, tf.greater_equal]
# Rows of one block, of several, of parts of one; more than one thread's part.
SHAPES = [(6, 35), (140, 300), (3, 40, 20), (5, 513), (17, 1030), (900, 3), (2, 1)]


@pytest.fixture(autouse=True)
def fuse_everything():
    with fusing_from(1):
        yield


def sample(*shape: int) -> tf.Tensor:
    """Return numbers among which are zeros of both signs, infinities and nan."""
    numbers = RANDOM.standard_normal(shape).astype(np.float32)
    special = np.float32([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0])
    return tf.constant(np.where(RANDOM.random(shape) < 0.3, RANDOM.choice(special, shape), numbers))


def assert_same_bits(results, expected) -> None:
    for one, other in zip(results, expected, strict=True):
        a, b = one.numpy(), other.numpy()
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        np.testing.assert_array_equal(a, b)
        if a.dtype == np.float32:
            signs = [np.signbit(x) & ~np.isnan(x) for x in (a, b)]  # of nan: as the loop has it
            np.testing.assert_array_equal(*signs)


def both_ways(function) -> None:
    results = function()
    with fusing_from(0):
        expected = function()
    assert_same_bits(results, expected)


def operands(shape) -> list[tf.Tensor]:
    """Whole ones, a row, a column, numbers."""
    column = (*shape[:-1], 1)
    return [sample(*own) for own in (shape, shape, shape[-1:], column, (), (1, 1))]


def test_bools_wait_until_they_are_read():
    x, y = sample(6, 35), sample(6, 35)
    chosen = tf.logical_and(x > y, tf.logical_not(x > 1.0))
    assert is_pending(chosen)
    assert chosen.dtype is tf.bool
    assert (chosen._data.itemsize, chosen._data.nbytes) == (1, 6 * 35)
    result = tf.where(chosen, x, y)
    assert is_pending(result)
    expected = (x.numpy() > y.numpy()) & ~(x.numpy() > 1)
    np.testing.assert_array_equal(chosen.numpy(), expected)
    assert chosen.numpy().dtype == bool
    np.testing.assert_array_equal(result.numpy(), np.where(expected, x.numpy(), y.numpy()))


@pytest.mark.parametrize("compare", COMPARISONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_comparisons_of_every_extent(compare, shape):
    values = operands(shape)
    for other in values[1:]:
        both_ways(lambda other=other: [compare(values[0], other), compare(other, values[0])])
        both_ways(lambda other=other: [tf.cast(compare(other * 2.0, values[0]), tf.float32)])


@pytest.mark.parametrize("shape", SHAPES)
def test_choices_of_every_extent(shape):
    x, y, row, column, number, _ = operands(shape)
    for condition in (x > y, row > 0.0, column > 0.0, tf.constant((x > 0.0).numpy())):
        for first in (x, row, column, number):
            for second in (y * 2.0, row, column, number):
                both_ways(
                    lambda c=condition, a=first, b=second: [
                        tf.where(c, a, b),
                        tf.where(c, b, a) + x,
                        tf.where(tf.logical_or(c, x > y), a, b),
                    ]
                )


@st.composite
def programs(draw):
    """A shape and a list of steps, each a choice between earlier values, or arithmetic on them."""
    shape = draw(st.sampled_from(SHAPES))
    steps, values = [], 6
    for _ in range(draw(st.integers(1, 20))):
        indices = [draw(st.integers(0, values - 1)) for _ in range(4)]
        steps.append((draw(st.sampled_from(COMPARISONS)), draw(st.integers(0, 5)), indices))
        values += 1
    return shape, steps


def run(steps, values: list) -> tf.Tensor:
    for compare, form, (a, b, c, d) in steps:
        chosen = compare(values[a], values[b])
        if form == 0:
            chosen = tf.logical_not(chosen)
        elif form == 1:
            chosen = tf.logical_and(chosen, values[c] > 0.5)
        elif form == 2:
            chosen = tf.logical_or(values[d] < 0.0, chosen)
        if form == 3:
            made = tf.cast(chosen, tf.float32) * values[c]
        elif form == 4:
            made = tf.clip_by_value(tf.abs(values[c]), 0.25, 1.5) + tf.where(chosen, 0.5, 2.0)
        else:
            made = tf.where(chosen, values[c], tf.minimum(values[d], tf.tanh(values[a])))
        values = [*values, made]
    return values[-1]


@settings(max_examples=100)
@given(programs(), st.booleans())
def test_programs_and_their_gradients_are_the_same(program, is_function):
    shape, steps = program
    inputs = operands(shape)

    def gradients(*inputs):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(inputs)
            y = tf.reduce_sum(tf.tanh(run(steps, list(inputs)) + tf.zeros(shape)))
        return [y, *(g for g in tape.gradient(y, inputs) if g is not None)]

    both_ways(lambda: (tf.function(gradients) if is_function else gradients)(*inputs))


def test_nan_on_the_other_side_of_a_choice():
    x = tf.constant(np.float32([-1, 0, -0.0, 4, np.nan] * 50))

    def second_derivatives():
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.where(x > 0, tf.sqrt(x), 0.0) + tf.where(x < 0, x * x, tf.math.log(x))
            first = inner.gradient(y, x)
        return [y, first, outer.gradient(first, x)]

    both_ways(second_derivatives)


def test_choices_under_vmap():
    x, y = sample(12, 35), sample(35)
    both_ways(lambda: [tf.vectorized_map(lambda row: tf.where(row > y, row * 2.0, y), x)])


# --- results that are wanted together -------------------------------------------------------------


def test_results_of_a_function_are_computed_together():
    x, y = sample(6, 35), sample(6, 35)

    @tf.function
    def gradients(x, y):
        with tf.GradientTape() as tape:
            tape.watch((x, y))
            loss = tf.reduce_sum(tf.exp(x - y))
        return tape.gradient(loss, (x, y))

    by_x, by_y = gradients(x, y)
    assert is_pending(by_x)
    assert is_pending(by_y)
    by_x.numpy()
    assert not is_pending(by_y)
    np.testing.assert_array_equal(by_x.numpy(), -by_y.numpy())


def test_results_without_a_common_op_wait_for_themselves():
    x, y = sample(6, 35), sample(6, 35)
    function = tf.function(lambda x, y: (tf.exp(x), tf.exp(y), tf.exp(x) + 1.0))
    first, second, third = function(x, y)
    first.numpy()
    assert is_pending(second)
    assert not is_pending(third)
    np.testing.assert_array_equal(second.numpy(), tf.exp(y).numpy())


def test_siblings_that_are_gone_or_named_again():
    x = sample(6, 35)
    values = [tf.exp(x) * float(i) for i in range(2, 7)]
    deferred = [v._data for v in values]
    native.extension.relate([*deferred, deferred[0], deferred[0], None, 3])
    native.extension.relate(deferred[1:3])
    expected = [v * np.exp(x.numpy()) for v in (5, 6)]
    del values[0], deferred
    del values[0]
    values[-1].numpy()
    for value, numbers in zip(values[-2:], expected, strict=True):
        np.testing.assert_allclose(value.numpy(), numbers, rtol=1e-5)


# --- memory and threads ---------------------------------------------------------------------------


def test_bools_that_are_held_do_not_keep_their_numbers():
    x = sample(300, 300) @ sample(300, 300)
    array = weakref.ref(x._data)
    chosen = x > 0.0
    y = tf.where(chosen, 1.0, 2.0) * 3.0
    del x
    y.numpy()
    assert not is_pending(chosen)
    assert array() is None


def test_threads_read_the_same_bools():
    x = sample(400, 500)
    chosen = tf.logical_not(tf.exp(x) > 1.0)
    results = [None] * 8

    def read(i: int) -> None:
        results[i] = (tf.where(chosen, x, 0.0) if i % 2 else chosen).numpy()

    threads = [threading.Thread(target=read, args=(i,)) for i in range(len(results))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with fusing_from(0):
        expected = tf.logical_not(tf.exp(x) > 1.0).numpy()
    for i, result in enumerate(results):
        np.testing.assert_array_equal(result, np.where(expected, x, 0) if i % 2 else expected)
