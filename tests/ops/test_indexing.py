"""Indexing, gather and scatter: what the rule cases do not see of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import gradtape as tf
from gradtape import ops
from gradtape.backends.numpy.gather import gather
from gradtape.core.errors import InvalidArgumentError
from gradtape.testing import check_batching, check_gradients
from tests.allocation import peak_of

X = np.arange(60.0, dtype=np.float32).reshape(3, 4, 5)


@given(
    arrays.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=4).flatmap(
        lambda shape: st.tuples(
            st.just(shape), arrays.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True)
        )
    )
)
@settings(max_examples=300)
def test_basic_indices_are_numpys(shape_and_key):
    shape, key = shape_and_key
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    np.testing.assert_array_equal(tf.constant(array)[key].numpy(), array[key])


@given(
    arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4).flatmap(
        lambda shape: st.tuples(
            st.just(shape), arrays.basic_indices(shape, allow_newaxis=False, allow_ellipsis=True)
        )
    )
)
@settings(max_examples=100)
def test_slice_update_is_numpys(shape_and_key):
    shape, key = shape_and_key
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    updated = ops.strided_slice_update(array, key, -1.0)
    expected = array.copy()
    expected[key] = -1
    np.testing.assert_array_equal(updated.numpy(), expected)
    assert array.min() >= 0  # the argument is as it was


def test_slices_are_views():
    x = tf.constant(X)
    assert np.shares_memory(x[1:, ::2]._data, x._data)
    assert np.shares_memory(tf.split(x, 3)[1]._data, x._data)
    assert np.shares_memory(tf.unstack(x)[1]._data, x._data)
    assert np.shares_memory(tf.transpose(x)._data, x._data)


def test_scalars_are_numpy_scalars():
    x = tf.constant(X)
    for scalar in (x[1, 2, 3], tf.reshape(x[0, 0, :1], []), tf.zeros([]), tf.unstack(x[0, 0])[1]):
        assert isinstance(scalar._data, np.float32)


def test_a_list_is_a_tuple():
    np.testing.assert_array_equal(tf.constant(X)[[0, 1]].numpy(), X[0, 1])


def test_tensors_as_bounds():
    x = tf.constant(X)
    one, three = tf.constant(1), tf.constant(3, tf.int64)
    np.testing.assert_array_equal(x[one:three, three].numpy(), X[1:3, 3])
    np.testing.assert_array_equal(x[np.int64(1), np.array(2)].numpy(), X[1, 2])
    np.testing.assert_array_equal(x[tf.Variable(1)].numpy(), X[1])


@pytest.mark.parametrize("mask", [X > 30, X[..., 0] > 20, np.array([True, False, True])])
def test_masks(mask):
    x = tf.constant(X)
    np.testing.assert_array_equal(x[mask].numpy(), X[mask])
    np.testing.assert_array_equal(x[tf.constant(mask)].numpy(), X[mask])


def test_iteration_gives_rows_and_one_gradient():
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.add_n([(i + 1) * row for i, row in enumerate(x)])
    expected = np.broadcast_to(np.array([1, 2, 3.0])[:, None, None], X.shape)
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), expected)
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        iter(tf.constant(1.0))


def test_assignment_to_part_of_a_variable():
    v = tf.Variable(X)
    v[1, ::2].assign(tf.zeros([2, 5]))
    v[0, 0, 0].assign(7)
    v[2, :, 1:3].assign([[1.0, 2.0]])
    expected = X.copy()
    expected[1, ::2], expected[0, 0, 0], expected[2, :, 1:3] = 0, 7, [[1, 2]]
    np.testing.assert_array_equal(v.numpy(), expected)


# --- indices that differ between the examples of a batch ---------------------------------------

ROWS = np.array([[0, 2, 2], [1, 0, 1]])
NUMBERS = np.random.default_rng(0).uniform(size=(2, 3, 4))


def test_gather_batches_over_indices():
    x = NUMBERS[0]
    check_batching(lambda x, i: ops.gather(x, i), [x, ROWS], [None, 0])
    check_batching(lambda x, i: ops.gather(x, i, 1), [x, ROWS], [None, 0])
    check_batching(lambda x, i: ops.gather(x, i), [NUMBERS, ROWS])
    check_batching(lambda x, i: ops.gather(x, i, 1, 1), [NUMBERS, ROWS], [None, 1], rtol=1e-12)
    check_batching(lambda x, i: ops.gather(x, i, 1, 1), [NUMBERS[None], ROWS[None]])
    check_batching(lambda x, i: ops.gather(x, i), [x, np.array([2, 0])], [None, 0])


def test_gradient_of_gather_batches_over_indices():
    def gradient(x, i):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(ops.gather(x, i) ** 3)
        result = tape.gradient(y, x)
        return ops.to_tensor(result)

    check_batching(gradient, [NUMBERS, ROWS])
    check_batching(gradient, [NUMBERS[0], ROWS], [None, 0])
    check_batching(gradient, [NUMBERS, ROWS[0]], [0, None])


def test_scatter_batches_over_indices():
    positions, updates = ROWS[..., None], NUMBERS
    check_batching(lambda i, u: ops.scatter_nd(i, u, (5, 4)), [positions, updates])
    check_batching(lambda i, u: ops.scatter_nd(i, u, (5, 4)), [positions, updates[0]], [0, None])
    x = np.ones((3, 4))
    for op in (ops.tensor_scatter_nd_add, ops.tensor_scatter_nd_max):
        check_batching(op, [x, positions, updates], [None, 0, 0])
    apart = np.array([[[0], [1], [2]], [[2], [0], [1]]])
    check_batching(ops.tensor_scatter_nd_update, [x, apart, updates], [None, 0, 0])
    check_batching(ops.gather_nd, [x, positions], [None, 0])
    check_batching(ops.gather_nd, [NUMBERS, positions])


def test_getitem_batches_over_indices():
    i = np.array([2, -1])
    check_batching(lambda x, i: x[i], [NUMBERS[0], i], [None, 0])
    check_batching(lambda x, i: x[..., None, i], [NUMBERS, i], [None, 0])
    check_batching(
        lambda x, i: x[i, 1:, None, i], [NUMBERS[:, :, None], np.array([0, 0])], [None, 0]
    )
    check_batching(lambda x, i: x[0, i, ::2], [NUMBERS, i], [None, 0])


def test_known_and_unknown_tensors_index_together():
    known, row = tf.constant(1), X[1]

    @tf.function
    def parts(x, i):
        return x[known, i], x[i, known], x[known, ..., i], x[..., known, i], x[None, known, i, None]

    expected = row[2], X[2, 1], row[:, 2], X[:, 1, 2], row[None, 2, None]
    for part, wanted in zip(parts(X, tf.constant(2)), expected, strict=True):
        np.testing.assert_array_equal(part, wanted)
    mapped = tf.vectorized_map(lambda i: tf.constant(X)[known, i], tf.range(3))
    np.testing.assert_array_equal(mapped, row[:3])


def test_dynamic_slices_batch_over_starts():
    starts = np.array([[0, 1], [9, -3]])
    x, value = NUMBERS[0], np.full((2, 2), 7.0)
    check_batching(lambda x, s: ops.dynamic_slice(x, s, (2, 2)), [x, starts], [None, 0])
    check_batching(
        lambda x, v, s: ops.dynamic_update_slice(x, v, s), [x, value, starts], [None, None, 0]
    )
    for start in starts:
        check_gradients(lambda x, s=start: ops.dynamic_slice(x, s, (2, 2)) ** 2, [x])


def test_integers_only_ops_batch():
    check_batching(lambda i: ops.unravel_index(i, (2, 3)), [ROWS])
    check_batching(lambda n: ops.sequence_mask(n, 4), [ROWS])
    check_batching(lambda i: ops.one_hot(i, 3, 0), [ROWS])
    check_batching(
        lambda x, n: ops.reverse_sequence(x, n, 1, 0), [NUMBERS, np.array([[4, 0, 1], [2, 2, 3]])]
    )


# --- sparse gradients ----------------------------------------------------------------------------


def _gradient_of_gather(function):
    x = tf.Variable(NUMBERS[0])
    with tf.GradientTape() as tape:
        y = function(x)
    return tape.gradient(y, x)


def test_only_rows_have_sparse_gradients():
    assert isinstance(_gradient_of_gather(lambda x: tf.gather(x, [0, 0])), tf.IndexedSlices)
    assert isinstance(_gradient_of_gather(lambda x: tf.gather_nd(x, [[0], [1]])), tf.IndexedSlices)
    assert isinstance(_gradient_of_gather(lambda x: tf.gather(x, [0], axis=1)), tf.Tensor)
    assert isinstance(_gradient_of_gather(lambda x: tf.gather_nd(x, [[0, 1]])), tf.Tensor)


def test_sparse_gradient_is_dense_inside_vmap():
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather(x, [1, 1]) ** 2
        return tape.gradient(y, x)

    result = tf.vmap(gradient)(tf.constant(NUMBERS))
    assert isinstance(result, tf.Tensor)
    expected = np.zeros_like(NUMBERS)
    expected[:, 1] = 4 * NUMBERS[:, 1]
    np.testing.assert_allclose(result.numpy(), expected)


# --- low dtypes, odd layouts ---------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "bool", "uint8", "complex64", "int64"])
def test_all_dtypes_move(dtype):
    x = tf.cast(tf.constant(X), dtype)
    array = x.numpy()
    np.testing.assert_array_equal(tf.reshape(x[1, 2, 3], [1, 1]).numpy(), [[array[1, 2, 3]]])
    np.testing.assert_array_equal(tf.transpose(x[1, 2, 3]).numpy(), array[1, 2, 3])
    np.testing.assert_array_equal(x[1, 2, 3][None].numpy(), [array[1, 2, 3]])
    stacked = tf.stack([x[0, 0, 0], x[1, 1, 1]])
    assert stacked.dtype == x.dtype
    np.testing.assert_array_equal(stacked.numpy(), array[[0, 1], [0, 1], [0, 1]])
    for result, expected in [
        (tf.concat([x, x], 1), np.concatenate([array, array], 1)),
        (tf.gather(x, [2, 0], axis=2), array[:, :, [2, 0]]),
        (tf.pad(x, [[1, 0], [0, 0], [0, 2]]), np.pad(array, [[1, 0], [0, 0], [0, 2]])),
        (tf.tile(x, [1, 2, 1]), np.tile(array, [1, 2, 1])),
        (tf.tensor_scatter_nd_update(x, [[0, 0, 1]], [array[2, 3, 4]]), _updated(array)),
    ]:
        assert result.dtype == x.dtype
        np.testing.assert_array_equal(result.numpy(), expected)


def _updated(array):
    array = array.copy()
    array[0, 0, 1] = array[2, 3, 4]
    return array


def test_strings_move():
    words = tf.constant(["a", "b", "c", "d"])
    assert tf.gather(words, [3, 0]).numpy().tolist() == [b"d", b"a"]
    assert tf.reshape(words, [2, 2])[1].numpy().tolist() == [b"c", b"d"]
    assert tf.stack([words[1], words[2]]).numpy().tolist() == [b"b", b"c"]
    assert [word.numpy() for word in words] == [b"a", b"b", b"c", b"d"]
    assert tf.gather(words, 2).shape == tf.reshape(words[:1], []).shape == ()
    assert tf.zeros([2], tf.string).numpy().tolist() == [b"", b""]


def test_strided_inputs():
    x = tf.constant(X)[::2, ::-1][:, :, 1:4]
    array = X[::2, ::-1, 1:4]
    batched = tf.gather(x, [[1, 0], [3, 3]], axis=1, batch_dims=1)
    np.testing.assert_array_equal(batched.numpy(), np.stack([array[0, [1, 0]], array[1, [3, 3]]]))
    np.testing.assert_array_equal(
        tf.linalg.diag_part(x).numpy(), np.diagonal(array, axis1=1, axis2=2)
    )


def test_kernels_leave_their_inputs_alone():
    array = X.copy()
    x = tf.constant(array)
    before = x.numpy()
    tf.tensor_scatter_nd_update(x, [[0]], tf.zeros([1, 4, 5]))
    tf.tensor_scatter_nd_max(x, [[0]], 99 * tf.ones([1, 4, 5]))
    tf.linalg.set_diag(x, tf.zeros([3, 4]))
    ops.strided_slice_update(x, 0, 5.0)
    np.testing.assert_array_equal(x.numpy(), before)


def test_bad_index_inside_vmap_is_the_users_error():
    with pytest.raises(InvalidArgumentError, match=r"is not in \[0, 3\)"):
        tf.vmap(lambda i: tf.gather(NUMBERS[0], i))(tf.constant([[0], [5]]))


def test_slice_sizes_cannot_differ_inside_vmap():
    with pytest.raises(TypeError, match="size of a slice must be the same for all examples"):
        tf.vmap(lambda i: tf.constant(X)[i:])(tf.constant([0, 1]))


def test_flags_are_set_at_positions():
    def set_flags(flags):
        return tf.scatter_nd([[0], [2], [0]], flags, [4])

    for call in (set_flags, tf.function(set_flags)):
        made = call(tf.constant([True, True, False]))
        assert made.dtype == tf.bool
        np.testing.assert_array_equal(made, [True, False, True, False])


# In functions, arrays that are transposed are views.
@pytest.mark.parametrize("order", [(2, 1, 0), (1, 0, 2), (0, 2, 1)])
@pytest.mark.parametrize("indices", [2, [1], [[0, 1]], [], [2, 0, 1] * 9])
@pytest.mark.parametrize("axis", range(3))
def test_a_gather_from_a_transposed_array(order, indices, axis):
    x = np.arange(4.0 * 9 * 7).reshape(4, 9, 7).transpose(order)
    rows = np.array(indices, np.int32)
    taken = gather(x, rows, axis, 0)
    np.testing.assert_array_equal(taken, np.take(np.ascontiguousarray(x), rows, axis))
    assert not np.shares_memory(taken, x)


def test_a_gather_from_a_transposed_array_does_not_copy_it():
    x = np.ones([100, 2000]).T
    assert peak_of(lambda: gather(x, np.array(3), 1, 0)) < x.nbytes / 10


@pytest.mark.parametrize("key", [slice(None, None, 2), slice(None, None, -1)])
def test_one_text_is_gathered_from_a_view(key):
    texts = np.array([b"a", b"b", b"c", b"d", b"e", b"f"], object)
    for index in (1, [1], [[2, 0]]):
        taken = tf.gather(tf.constant(texts)[key], index)
        np.testing.assert_array_equal(taken, texts[key][np.array(index)])
