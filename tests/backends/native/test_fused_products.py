"""Stacks of products, what is computed of them while they are in the cache, and softmax: the same
bits as one op at a time."""

import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape.backends.native import kernels as native
from gradtape.ops import slicing
from tests.backends.native.kernels import threads
from tests.backends.native.test_fusion import same_numbers, without_fusion
from tests.fusing import fusing_from, is_pending

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)
RANDOM = np.random.default_rng(5)
# Only the tiles of eight lanes and more multiply matrices one by one.
needs_tiles = pytest.mark.skipif(
    native.extension is not None and native.extension.instruction_set() == "portable",
    reason="products are left to a BLAS with this instruction set",
)


@pytest.fixture(autouse=True, scope="module")
def fuse_everything():
    with fusing_from(1):
        yield


@pytest.fixture(autouse=True, scope="module")
def two_threads():
    """Stacks of products wait if there is one for each thread: the tests have stacks of six."""
    with threads(2):
        yield


def sample(*shape: int) -> tf.Tensor:
    return tf.constant(RANDOM.standard_normal(shape).astype(np.float32))


def heads(length: int = 50, size: int = 20, keys: int = 64) -> list[tf.Tensor]:
    """q, k and v of two times three heads: q lies in an array with others."""
    mixed = sample(2, length, 3, 2 * size)
    return [
        tf.transpose(mixed, (0, 2, 1, 3))[..., :size],
        sample(2, 3, keys, size),
        sample(2, 3, keys, 32),
    ]


def attention(q, k, v, mask=None):
    scores = tf.matmul(q, k, transpose_b=True) * 0.3
    if mask is not None:
        scores = scores + mask
    return tf.nn.softmax(scores) @ v


@needs_tiles
def test_scores_wait_and_weights_are_computed_with_what_is_made_of_them():
    q, k, v = heads()
    scores = tf.matmul(q, k, transpose_b=True)
    weights = tf.nn.softmax(scores * 0.3)
    assert is_pending(scores)
    assert is_pending(weights)
    result = weights @ v
    assert not is_pending(weights)
    expected = without_fusion(lambda: tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * 0.3))
    same_numbers(weights, expected)
    same_numbers(result, without_fusion(lambda: expected @ v))
    same_numbers(scores, without_fusion(lambda: tf.matmul(q, k, transpose_b=True)))


@pytest.mark.parametrize("length", [12, 50, 130])
@pytest.mark.parametrize("keys", [32, 64, 544])
def test_attention_and_its_gradients_are_the_same(length, keys):
    q, k, v = heads(length, 20 if keys < 500 else 64, keys)
    row = np.where(np.arange(keys) % 5 == 0, -np.inf, 0).astype(np.float32)
    triangle = np.triu(np.full((length, keys), -1e9, np.float32), 1)
    for mask in (None, row, triangle, RANDOM.standard_normal((2, 3, length, 1)).astype("f")):

        def gradients(mask=mask):
            with tf.GradientTape() as tape:
                for x in (q, k, v):
                    tape.watch(x)
                y = attention(q, k, v, mask)
            return [y, *tape.gradient(y, [q, k, v], sample(*y.shape) * 0 + 0.7)]

        for actual, expected in zip(gradients(), without_fusion(gradients), strict=True):
            same_numbers(actual, expected)


def test_nothing_depends_on_the_number_of_threads():
    q, k, v = heads(130)
    threads = native.extension.num_threads()
    actual = []
    try:
        for number in (1, 2, 3, 5, 16):
            native.extension.set_num_threads(number)
            actual.append(attention(q, k, v).numpy())
    finally:
        native.extension.set_num_threads(threads)
    for other in actual[1:]:
        np.testing.assert_array_equal(other, actual[0])


STEPS = [
    tf.nn.softmax,
    tf.exp,
    tf.tanh,
    lambda x: x * 0.5,
    lambda x: x - tf.reduce_max(x, -1, keepdims=True),
    lambda x: x / (1.0 + tf.reduce_sum(tf.abs(x))),
    lambda x: tf.reduce_mean(x, 0) + x,
    lambda x: tf.nn.log_softmax(x),
]


@settings(max_examples=60)
@given(
    st.lists(st.integers(0, 12), min_size=1, max_size=12),
    st.sampled_from([(12, 20, 32), (49, 7, 96), (20, 3, 1056)]),
    st.tuples(st.booleans(), st.booleans()),
)
def test_programs_give_the_same(steps, sizes, transposed):
    rows, inner, columns = sizes
    shapes = [(rows, inner), (inner, columns)]
    inputs = [
        sample(16, *(shape[::-1] if turned else shape))
        for shape, turned in zip(shapes, transposed, strict=True)
    ]
    other, small, row = sample(16, rows, columns), sample(16, columns, 32), sample(columns)

    def execute():
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            product = tf.matmul(*inputs, *transposed)
            y, kept = product, []
            for step in steps:
                if step < len(STEPS):
                    y = STEPS[step](y)
                elif step == 8:
                    y = y + tf.matmul(*inputs, *transposed)  # a second product
                elif step == 9:
                    y = y * other + row
                elif step == 10:
                    kept.append(y)
                elif step == 11:
                    kept.append(y @ small)
                else:
                    y = y + product
            total = tf.reduce_sum(tf.tanh(y)) + sum(tf.reduce_sum(tf.sin(x)) for x in kept)
        return [y, *kept, total, *tape.gradient(total, inputs)]

    for actual, expected in zip(execute(), without_fusion(execute), strict=True):
        same_numbers(actual, expected)


@needs_tiles
def test_a_waiting_product_sees_its_operands_as_they_were():
    _, k, _ = heads()
    v = tf.Variable(sample(2, 3, 50, 20))
    before = v.numpy().copy()
    scores = tf.matmul(v, k, transpose_b=True)
    v.assign_add(tf.ones(v.shape))
    assert is_pending(scores)
    expected = without_fusion(lambda: tf.matmul(tf.constant(before), k, transpose_b=True))
    same_numbers(scores, expected)


@needs_tiles
def test_a_product_waits_only_if_it_is_larger_than_what_it_keeps():
    q, k, _ = heads()
    assert is_pending(tf.matmul(q, k, transpose_b=True))
    wide = sample(2, 3, 50, 128)
    assert not is_pending(tf.matmul(wide, sample(2, 3, 128, 64)))
    operands = [weakref.ref(q._data), weakref.ref(k._data)]
    scores = tf.matmul(q, k, transpose_b=True)
    del q, k
    assert all(each() is not None for each in operands)
    scores.numpy()
    assert all(each() is None for each in operands)


def test_shapes_that_do_not_fit_are_an_error_at_once():
    with pytest.raises(tf.errors.InvalidArgumentError, match="MatMul"):
        tf.matmul(sample(2, 3, 50, 20), sample(2, 3, 21, 64))


# --- cotangents of parts --------------------------------------------------------------------------


def test_cotangents_of_parts_are_added_where_they_belong(monkeypatch):
    x = sample(3, 40, 50)
    factors = [sample(40, 50), sample(40, 50), sample(50)]

    def gradient():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * 1.5
            parts = y[0] * factors[0] + y[-1] * factors[1] + y[1, 7] * factors[2] + y[0]
            total = tf.reduce_sum(parts)
        return tape.gradient(total, x).numpy()

    expected = np.zeros((3, 40, 50), np.float32)
    expected[0] = factors[0].numpy() + 1
    expected[2] = factors[1].numpy()
    expected[1, 7] = 40 * factors[2].numpy()
    calls = []
    kernel = slicing.put_slice_p.kernel

    def counted(*arguments, **params):
        calls.append(params)
        return kernel(*arguments, **params)

    monkeypatch.setattr(slicing.put_slice_p, "kernel", counted)
    np.testing.assert_allclose(gradient(), 1.5 * expected, rtol=1e-6)
    assert len(calls) == 1
