"""A pass writes its results into arrays that end with it: never into one that is needed later."""

import functools
import sys
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends.native import kernels as native
from tests.fusing import fusing_from, is_pending

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)
SHAPE = (64, 70)
BYTES = 4 * 64 * 70


@pytest.fixture(autouse=True)
def fuse_everything():
    with fusing_from(1):
        yield


def product(seed: int = 0) -> tf.Tensor:
    """A computed array that nothing else holds."""
    x = np.random.default_rng(seed).standard_normal(SHAPE).astype(np.float32)
    return tf.constant(x)


def address(x) -> int:
    return np.asarray(x).__array_interface__["data"][0]


def test_a_temporary_array_takes_the_result():
    x = product()
    where, expected = address(x), np.tanh(np.asarray(x) * 2)
    y = tf.tanh(x * 2.0)
    del x
    assert is_pending(y)
    np.testing.assert_allclose(y, expected, rtol=1e-6)
    assert address(y) == where


def test_no_array_is_made_for_a_chain_of_temporaries():
    x, y = product(), product(1)
    z = tf.exp(-tf.square(x - y))
    del x, y
    tracemalloc.start()
    try:
        np.asarray(z)
        assert tracemalloc.get_traced_memory()[1] < BYTES // 2
    finally:
        tracemalloc.stop()


def held_tensor(x):
    return x


def held_view(x):
    return np.asarray(x)[3]


def held_transpose(x):
    return tf.transpose(x)


def held_pending(x):
    return x + 1.0


def held_pending_of_pending(x):
    return tf.square(x * 3.0) + 1.0


def held_total(x):
    return tf.reduce_sum(tf.exp(x))


def held_variable(x):
    return tf.Variable(x)


HELD = [held_tensor, held_view, held_transpose, held_total, held_variable]
HELD += [held_pending, held_pending_of_pending]


@pytest.mark.parametrize("hold", HELD)
def test_what_is_held_stays_as_it_is(hold):
    x = product()
    plain = np.array(x)
    expected = np.array(hold(tf.constant(plain)))
    held = hold(x)
    y = tf.tanh(x * 2.0) + x
    del x
    np.testing.assert_allclose(y, np.tanh(plain * 2) + plain, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(held, expected)


def test_an_array_with_a_weak_reference_is_not_reused():
    x = product()
    reference = weakref.ref(x._data)
    y = x * 2.0
    del x
    np.asarray(y)
    assert reference() is None


def test_a_value_is_read_before_it_is_overwritten():
    """The first of two results that are computed together may not take what the second reads."""
    x, plain = product(), np.array(product())
    a, b = x * 2.0, x + 3.0
    c = tf.sin(a) + x
    del x
    native.extension.relate([a._data, b._data, c._data])
    np.testing.assert_array_equal(a, plain * 2)
    np.testing.assert_array_equal(b, plain + 3)
    np.testing.assert_allclose(c, np.sin(plain * 2) + plain, rtol=1e-5, atol=1e-6)


def test_rows_and_columns_are_not_overwritten():
    row, column = product()[:1] * 1.0, product()[:, :1] * 1.0
    kept = np.array(row), np.array(column)
    y = row + column
    del row, column
    np.testing.assert_array_equal(y, kept[0] + kept[1])


@pytest.mark.parametrize("seed", range(4))
def test_threads_that_read_one_value_see_it(seed):
    """The pass of one thread writes over an operand while others ask for the same value."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(20):
            x = tf.ones((500, 1000)) * float(seed)
            np.asarray(x)
            y = tf.exp(tf.sin(x)) + 1.0
            del x
            got: list = []
            reader = functools.partial(lambda y, got: got.append(np.array(y)), y, got)
            threads = [threading.Thread(target=reader) for _ in range(4)]
            for thread in threads:
                thread.start()
            z = np.array(y * 2.0)
            for thread in threads:
                thread.join()
            expected = np.exp(np.sin(np.float32(seed))) + 1
            for each in got:
                np.testing.assert_allclose(each, np.full((500, 1000), expected), rtol=1e-6)
            np.testing.assert_allclose(z, np.full((500, 1000), 2 * expected), rtol=1e-6)
    finally:
        sys.setswitchinterval(before)
