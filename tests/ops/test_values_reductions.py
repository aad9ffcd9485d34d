"""Values of reductions, scans, sorting and segments where a fast way could go wrong."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import gradtape as tf
from gradtape import ops

GENERATOR = np.random.default_rng(0)
INFINITY, NAN = float("inf"), float("nan")


def gradient(function, x):
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x).numpy()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("layout", ["as it is", "transposed", "every second", "repeated"])
@pytest.mark.parametrize(
    "shape",
    [(70, 50, 30), (9000, 3), (3, 9000), (70000,), (5, 1400, 11), (2, 77, 1100), (40, 2000)],
)
def test_large_sums(shape, layout, dtype):
    x = GENERATOR.random(shape).astype(dtype)
    if layout == "transposed":
        x = x.T
    elif layout == "every second":
        x = x[::2]
    elif layout == "repeated":
        x = np.broadcast_to(x[:1], x.shape)
    # Views with gaps are left to NumPy, whose own sums of them are the best there are.
    exact = x.astype(np.float64) if layout == "as it is" else x
    for axis in (None, *range(x.ndim), *([(0, 1), (1, 2), (0, 2)] if x.ndim == 3 else [])):
        for keepdims in (False, True):
            for op, reference in ((ops.reduce_sum, np.sum), (ops.reduce_mean, np.mean)):
                result = op(tf.Tensor(x), axis, keepdims)
                wanted = reference(exact, axis, keepdims=keepdims)
                assert result.dtype.name == dtype
                assert tuple(result.shape) == np.shape(wanted)
                rtol = 4e-6 if dtype == "float32" else 1e-14
                np.testing.assert_allclose(result.numpy(), wanted, rtol=rtol)


def test_large_sums_keep_infinities_and_nans_apart():
    x = np.ones((5000, 3), np.float32)
    x[7, 0], x[9, 1] = np.inf, np.nan
    np.testing.assert_array_equal(tf.reduce_sum(x, 0), np.array([np.inf, np.nan, 5000], "f"))


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16])
def test_halves_are_summed_in_float32(dtype):
    ones = tf.cast(tf.ones(4096), dtype)
    assert float(tf.reduce_sum(ones)) == 4096
    assert float(tf.cumsum(ones)[-1]) == 4096
    assert float(tf.math.unsorted_segment_sum(ones, tf.zeros(4096, tf.int32), 1)[0]) == 4096
    assert float(tf.reduce_mean(tf.cast(tf.fill([64], 60000.0), dtype))) == pytest.approx(
        60000, 1e-2
    )


def test_integers_wrap_in_sums_but_not_in_means():
    x = tf.constant([100, 100], tf.int8)
    assert tf.reduce_sum(x).numpy() == -56
    assert tf.reduce_mean(x).numpy() == 100
    assert tf.reduce_mean([-1, -2, -4]).numpy() == -2


def test_reductions_of_nothing():
    nothing = tf.zeros((0, 2))
    for op, value in {
        tf.reduce_sum: 0,
        tf.reduce_prod: 1,
        tf.reduce_max: -INFINITY,
        tf.reduce_min: INFINITY,
        tf.reduce_mean: NAN,
        tf.reduce_logsumexp: -INFINITY,
        tf.math.reduce_euclidean_norm: 0,
    }.items():
        np.testing.assert_array_equal(op(nothing, 0), np.full(2, value, "f"))
    assert tf.reduce_max(tf.zeros((0,), tf.int32)).numpy() == -(2**31)


def test_ties_share_the_gradient():
    np.testing.assert_allclose(gradient(tf.reduce_max, [1.0, 3.0, 3.0, 3.0]), [0] + [1 / 3] * 3)
    rows = gradient(lambda x: tf.reduce_min(x, 1), [[1.0, 1.0], [2.0, 5.0]])
    np.testing.assert_array_equal(rows, [[0.5, 0.5], [1, 0]])


def test_argmax_passes_over_nans():
    assert tf.argmax([NAN, 1.0, 3.0]).numpy() == 2
    assert tf.argmin([1.0, NAN, -3.0, NAN]).numpy() == 2
    assert tf.argmax([NAN, NAN]).numpy() == 0
    many = np.zeros((3, 5000), np.float32)  # more than are summed to see whether there is a nan
    many[:, 7], many[1, 3] = [1, 2, -1], NAN
    np.testing.assert_array_equal(tf.argmax(many, 1), [7, 7, 0])
    np.testing.assert_array_equal(tf.argmin(many[:2], 0)[:8], [0, 0, 0, 0, 0, 0, 0, 0])


@pytest.mark.parametrize(
    "values", [[INFINITY, -INFINITY, 1.0], [-INFINITY, INFINITY], [3e38, 3e38, 1.0]]
)
def test_argmax_of_numbers_whose_sum_is_none(values):
    with np.errstate(all="raise"):
        assert tf.argmax(values).numpy() == np.argmax(values)
        assert tf.argmin(values).numpy() == np.argmin(values)


def test_products_have_the_true_gradient_at_zeros():
    np.testing.assert_array_equal(gradient(tf.reduce_prod, [2.0, 0.0, 3.0]), [0, 6, 0])
    np.testing.assert_array_equal(gradient(tf.math.cumprod, [2.0, 0.0, 3.0, 4.0]), [1, 32, 0, 0])


def test_recurrence_does_not_overflow_in_between():
    factors = np.full(64, 1e30, np.float32)
    terms = np.zeros(64, np.float32)
    terms[-1] = 1
    np.testing.assert_array_equal(ops.linear_recurrence(factors, terms), terms)


def test_running_extremes_give_ties_to_the_latest():
    np.testing.assert_array_equal(gradient(ops.cummax, [1.0, 3.0, 3.0, 2.0]), [1, 1, 2, 0])
    np.testing.assert_array_equal(ops.cummin([3.0, 1.0, 2.0], reverse=True), [1, 1, 2])


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8, ml_dtypes.bfloat16])
@pytest.mark.parametrize("size", [5, 70, 1000])
def test_top_k_is_the_start_of_a_stable_descending_sort(size, dtype):
    x = GENERATOR.integers(0, 20, (3, size)).astype(dtype)
    order = np.argsort(-x.astype(np.float64), axis=1, kind="stable")
    for k in (1, 2, 3, 4, size // 3, size):
        values, indices = tf.math.top_k(x, k)
        np.testing.assert_array_equal(indices, order[:, :k])
        np.testing.assert_array_equal(values, np.take_along_axis(x, order[:, :k], 1))


@pytest.mark.parametrize("k", [2, 3, 9])
def test_top_k_of_minus_infinities(k):
    x = np.full((2, 300), -np.inf, np.float32)
    x[1, 150] = 1
    positions = [list(range(k)), [150, *range(k - 1)]]
    np.testing.assert_array_equal(tf.math.top_k(x, k).indices, positions)


def test_segments_against_a_loop():
    for rows, columns, count in ((7, 3, 4), (150, 40, 5), (300, 40, 250), (90, 2, 9), (0, 3, 2)):
        x = GENERATOR.integers(-3, 4, (rows, columns)).astype(np.float32)
        ids = GENERATOR.integers(-1, count, rows)
        for name, reduce, empty in (
            ("sum", np.add, 0.0),
            ("prod", np.multiply, 1.0),
            ("max", np.maximum, tf.float32.min),
            ("min", np.minimum, tf.float32.max),
        ):
            wanted = np.full((count, columns), empty, np.float32)
            for segment in set(ids.tolist()) - {-1}:
                wanted[segment] = reduce.reduce(x[ids == segment], 0)
            result = getattr(tf.math, f"unsorted_segment_{name}")(x, ids, count)
            np.testing.assert_array_equal(result, wanted)


def test_segments_keep_infinities_apart():
    x = np.zeros((100, 40), np.float32)
    x[0] = np.inf
    result = tf.math.unsorted_segment_sum(x, np.arange(100) % 2, 2).numpy()
    assert np.isinf(result[0]).all()
    assert (result[1] == 0).all()


def test_unique_is_in_order_of_appearance_and_knows_its_gradient():
    y, positions, count = tf.unique_with_counts([4.0, 1.0, 4.0, 2.0])
    np.testing.assert_array_equal(y, [4, 1, 2])
    np.testing.assert_array_equal(positions, [0, 1, 0, 2])
    np.testing.assert_array_equal(count, [2, 1, 1])
    np.testing.assert_array_equal(gradient(lambda x: tf.unique(x).y, [4.0, 4.0, 1.0]), [1, 0, 1])


def test_weighted_counts_have_a_gradient():
    weights = [1.0, 2.0, 3.0]
    result = gradient(lambda w: tf.math.bincount([1, 0, 1], weights=w) * [3.0, 5.0], weights)
    np.testing.assert_array_equal(result, [5, 3, 5])


def test_histogram_of_a_range_that_overflows():
    largest = np.float32(3e38)
    counts = tf.histogram_fixed_width([-largest, 100.0, largest], [-largest, largest], nbins=2)
    assert counts.numpy().tolist() == [1, 2]
    ends = [-(2**31), 2**31 - 1]
    counts = tf.histogram_fixed_width(tf.constant([*ends, 5, 7]), ends, nbins=5)
    assert counts.numpy().tolist() == [1, 0, 2, 0, 1]


def test_histogram_at_the_edges_of_bins():
    """Which side an edge is on depends on how the width of a bin is computed."""
    values, ends = np.arange(-3, 8) * 0.3, [-0.9, 2.1]
    counts = tf.histogram_fixed_width(values, ends, nbins=10)
    assert counts.numpy().tolist() == [1, 1, 2, 1, 1, 1, 1, 1, 1, 1]
    counts = tf.histogram_fixed_width(values.astype(np.float32), ends, nbins=10)
    assert counts.numpy().tolist() == [2, 1, 0, 1, 1, 1, 1, 1, 1, 2]


def test_segments_of_no_rows():
    for count, shape in ((None, (0, 3)), (5, (5, 3))):
        total = tf.sparse.segment_sum(tf.ones([4, 3]), [], [], num_segments=count)
        assert total.shape == shape
        assert not total.numpy().any()


def test_add_n_of_any_iterable():
    values = {"a": 1, "b": 2}
    assert tf.add_n(values.values()) == 3
    assert tf.add_n(number for number in (1, 2)) == 3
    assert tf.add_n(tf.ones([3, 2])).numpy().tolist() == [3, 3]


@pytest.mark.parametrize("beta", [1, 1.0])
def test_local_response_normalization_divides_by_a_negative_base(beta):
    x = np.array([1.0, -2.0, 3.0], np.float32).reshape(1, 1, 1, 3)
    y = tf.nn.local_response_normalization(x, 0, -20.0, 1.0, beta).numpy()
    np.testing.assert_allclose(y, x / (x * x - 20), rtol=1e-6)
