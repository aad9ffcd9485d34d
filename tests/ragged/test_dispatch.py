"""How ops find what they do with ragged and sparse arguments."""

from __future__ import annotations

import inspect
import subprocess
import sys
import zlib

import numpy as np
import pytest

import gradtape as tf
from gradtape import ops
from gradtape.api import composites
from gradtape.api.export import lookup
from gradtape.api.ragged import dispatch
from gradtape.core.composites import APPLIERS, apply_to_composites


def test_the_public_list_is_the_one_that_ragged_tensors_implement():
    assert sorted(dispatch.OWN) == sorted(composites.OTHERS)


@pytest.mark.parametrize("name", [*composites.ELEMENTWISE, *composites.OTHERS])
def test_every_listed_name_is_public_and_takes_ragged_tensors(name):
    function = lookup(name)
    assert composites.asks_for_itself(function) or hasattr(function, "__wrapped__"), name


HOT = "add multiply sin equal square matmul truediv abs pow reduce_sum tanh".split()


def test_hot_functions_have_no_wrapper():
    """Until Keras makes the first symbolic tensor, as another test may have done here."""
    program = f"""
import gradtape as tf
for name in {HOT}:
    function = getattr(tf, name)
    assert not hasattr(function, "__wrapped__"), name
    assert function.__globals__["__name__"].startswith("gradtape."), name
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_public_face_keeps_name_and_signature():
    assert tf.reduce_sum.__name__ == "reduce_sum"
    assert list(inspect.signature(tf.gather).parameters)[:2] == ["params", "indices"]


def test_functions_that_ask_for_themselves():
    rt = tf.ragged.constant([[1, -2], [3]])
    assert tf.pow(rt, 2).to_list() == (rt**2).to_list() == [[1, 4], [9]]
    assert tf.pow(2, tf.ragged.constant([[1, 2], [3]])).to_list() == [[2, 4], [8]]
    assert tf.abs(rt).to_list() == [[1, 2], [3]]
    assert tf.sign(rt).to_list() == [[1, -1], [1]]
    assert tf.divide(rt, 2).to_list() == [[0.5, -1.0], [1.5]]
    with pytest.raises(ValueError, match="sparse"):
        tf.reduce_sum(tf.sparse.from_dense([[1.0]]))


def test_without_composites_errors_are_those_of_the_function():
    with pytest.raises(ValueError, match="axis") as caught:
        tf.reduce_sum(tf.ones((2, 2)), axis=7)
    assert "Ragged" not in str(caught.value)
    assert apply_to_composites("add", ops.add, (tf.ones(2), 1), {}) is NotImplemented


def test_sparse_tensors_use_the_same_table():
    assert {c.__name__ for c in APPLIERS} >= {"SparseTensor", "RaggedTensor"}
    sparse = tf.sparse.from_dense([[0.0, 4.0]])
    assert tf.sqrt(sparse).values.numpy().tolist() == [2.0]
    with pytest.raises(ValueError, match=r"tf\.sparse\.to_dense"):
        tf.exp(sparse)
    with pytest.raises(ValueError, match=r"tf\.sparse\.to_dense"):
        tf.add(sparse, 1.0)


def test_arguments_are_found_by_keyword():
    rt = tf.ragged.constant([[1, 2], [3]])
    assert tf.add(x=rt, y=1).to_list() == [[2, 3], [4]]
    assert tf.reduce_sum(input_tensor=rt, axis=1).numpy().tolist() == [3, 3]
    assert tf.concat(values=[rt, rt], axis=0).to_list() == [[1, 2], [3], [1, 2], [3]]
    assert tf.strings.length(input=tf.ragged.constant([["ab"], []])).to_list() == [[2], []]


def test_tables_look_up_ragged_keys():
    words = tf.ragged.constant([["b", "a"], [], ["z"]])
    pairs = tf.lookup.KeyValueTensorInitializer(["a", "b"], [0, 1])
    static = tf.lookup.StaticHashTable(pairs, default_value=-1)
    assert static.lookup(words).to_list() == [[1, 0], [], [-1]]
    mutable = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
    mutable.insert(["a"], tf.constant([5], tf.int64))
    assert mutable.lookup(words).to_list() == [[-1, 5], [], [-1]]


def test_the_methods_of_ragged_tensors_are_those_of_tensorflow():
    recorded = """
        bounding_shape consumers dtype flat_values from_nested_row_lengths from_nested_row_splits
        from_nested_value_rowids from_row_lengths from_row_limits from_row_splits from_row_starts
        from_sparse from_tensor from_uniform_row_length from_value_rowids get_shape merge_dims
        nested_row_lengths nested_row_splits nested_value_rowids nrows numpy ragged_rank
        row_lengths row_limits row_splits row_starts shape to_list to_sparse to_tensor
        uniform_row_length value_rowids values with_flat_values with_row_splits_dtype with_values
    """
    public = {name for name in dir(tf.RaggedTensor) if not name.startswith("_")}
    assert public == set(recorded.split())


def test_a_ragged_argument_where_none_is_taken():
    rt = tf.ragged.constant([[1, 2], [3]])
    with pytest.raises(ValueError, match=r"takes no ragged tensor here.*\.to_tensor\(\)"):
        tf.transpose(rt)
    with pytest.raises(ValueError, match=r"strings\.substr takes no ragged tensor here"):
        tf.strings.substr("abc", rt, 1)


# --- values that TensorFlow gave -----------------------------------------------------------------

FLOATS = [[0.5, 0.25], [], [0.75]]


@pytest.mark.parametrize(
    ("compute", "expected"),
    [
        (lambda x: tf.image.adjust_brightness(x, 1.0), [[1.5, 1.25], [], [1.75]]),
        (lambda x: tf.image.adjust_gamma(x, 2.0), [[0.25, 0.0625], [], [0.5625]]),
        (lambda x: tf.image.convert_image_dtype(x, tf.uint8), [[127, 63], [], [191]]),
        (lambda x: tf.math.cumsum(x), [[0.5, 0.25], [], [1.25]]),
        (lambda x: tf.math.cumsum(x, reverse=True), [[1.25, 0.25], [], [0.75]]),
        (lambda x: tf.math.cumsum(x, exclusive=True), [[0.0, 0.0], [], [0.5]]),
        (
            lambda x: tf.nn.sigmoid_cross_entropy_with_logits(x, logits=x),
            [[0.7240769863128662, 0.763439416885376], [], [0.5743709802627563]],
        ),
    ],
)
def test_elementwise(compute, expected):
    result = compute(tf.ragged.constant(FLOATS))
    assert isinstance(result, tf.RaggedTensor)
    for row, wanted in zip(result.to_list(), expected, strict=True):
        np.testing.assert_allclose(row, wanted, rtol=1e-6)


def test_means_of_integers_are_float64():
    x = tf.ragged.constant([[1, 2], [], [3]])
    for compute, expected in (
        (tf.reduce_mean, 2.0),
        (tf.math.reduce_variance, 2 / 3),
        (tf.math.reduce_std, (2 / 3) ** 0.5),
    ):
        result = compute(x)
        assert result.dtype is tf.float64
        np.testing.assert_allclose(result, expected)


def test_counts_of_floats_and_truth_values():
    assert tf.math.bincount(tf.ragged.constant(FLOATS)).numpy().tolist() == [3]
    assert tf.math.bincount(tf.ragged.constant([[True, False], [True]])).numpy().tolist() == [1, 2]


def test_decompressed():
    packed = tf.ragged.constant([[zlib.compress(b"ab")], [], [zlib.compress(b"c")]])
    assert tf.io.decode_compressed(packed, "ZLIB").to_list() == [[b"ab"], [], [b"c"]]


def test_products_of_matrices():
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        stack = tf.RaggedTensor.from_row_splits(tf.identity(x), [0, 1, 3])
        result = tf.matmul(stack, tf.ones([2, 2, 1]))
        total = tf.reduce_sum(result.flat_values * [[1.0], [2.0], [3.0]])
    assert result.to_list() == [[[3.0]], [[7.0], [11.0]]]
    np.testing.assert_array_equal(tape.gradient(total, x), [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    turned = tf.matmul(stack, tf.ones([2, 1, 2]), transpose_b=True)
    assert turned.to_list() == [[[3.0]], [[7.0], [11.0]]]


def test_products_of_transposed_matrices_without_rows():
    a = tf.ragged.constant([[[1.0, 2.0]], [], [[3.0, 4.0], [5.0, 6.0]]])
    b = tf.ragged.constant([[[1.0]], [], [[1.0], [2.0]]])
    expected = [[[1.0], [2.0]], [], [[13.0], [16.0]]]  # TensorFlow's
    assert tf.matmul(a, b, transpose_a=True).to_list() == expected


def test_assertions_compare_the_values_that_stand_beside_each_other():
    r = tf.ragged.constant([[1, 2, 3], [], [4, 5]])
    tf.debugging.assert_equal(r, r)
    tf.debugging.assert_less(r, r + 1)
    tf.debugging.assert_greater_equal(r, 1)
    tf.debugging.assert_near(tf.cast(r, tf.float32), tf.cast(r, tf.float32))
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.debugging.assert_equal(r, r + 1)
    assert "Indices of first 3 different values:\n[[0]\n [1]\n [2]]" in str(caught.value)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.debugging.assert_equal(r, tf.ragged.constant([[1], [2, 3]]))

    @tf.function
    def below(r, limit):
        tf.debugging.assert_less(r, limit)
        return tf.reduce_sum(r)

    assert int(below(r, tf.constant(6))) == 15
    with pytest.raises(tf.errors.InvalidArgumentError, match="Condition x < y did not hold"):
        below(r, tf.constant(4))


def test_dynamic_partition_gives_ragged_parts():
    rows = tf.ragged.constant([[1], [2, 3], [4]])
    first, second = tf.dynamic_partition(rows, [0, 1, 0], 2)
    assert first.to_list() == [[1], [4]]
    assert second.to_list() == [[2, 3]]
