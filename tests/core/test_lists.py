"""Lists of numbers of several types, where TensorFlow refuses them or its rule leaves a choice."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

MIXED = "Can't convert Python sequence with mixed types to Tensor"


@pytest.mark.parametrize(
    "mixed",
    [
        [True, 2],
        [True, 2.5],
        [np.bool_(True), 2],
        [2, np.bool_(True)],
        [1.5, np.array([True])[0]],
        [np.array([True]), [2]],
        [[np.float32(1)], [np.bool_(False)]],
    ],
    ids=str,
)
def test_truth_values_among_numbers(mixed):
    with pytest.raises(ValueError, match=MIXED):
        tf.constant(mixed)


@pytest.mark.parametrize("dtype", ["int32", "float32", "complex64"])
def test_a_dtype_that_is_asked_for(dtype):
    """Python's truth values are numbers then, NumPy's are not."""
    np.testing.assert_array_equal(tf.constant([True, 2], dtype), [1, 2])
    np.testing.assert_array_equal(tf.constant([2, False], dtype), [2, 0])
    with pytest.raises(TypeError, match=rf"np.True_ to EagerTensor of dtype {dtype}"):
        tf.constant([np.bool_(True)], dtype)


@pytest.mark.parametrize("number", [np.float64(1.5), np.array([1.5]), np.float32(1.0)], ids=repr)
@pytest.mark.parametrize("dtype", ["int32", "bool"])
def test_a_list_is_not_rounded(number, dtype):
    with pytest.raises(TypeError, match=rf"to EagerTensor of dtype {dtype}.*tf.cast\(x, tf.float"):
        tf.constant([number], dtype)


def test_integers_beyond_64_bits_with_sign():
    assert tf.constant([np.uint64(2**63)]).dtype == tf.uint64
    np.testing.assert_array_equal(tf.constant([0, 2**64 - 1], tf.uint64), [0, 2**64 - 1])
    with pytest.raises(ValueError, match=r"integer 18446744073709551615 .* with 0, no integer"):
        tf.constant([0, 2**64 - 1])


def test_integers_keep_their_last_digit():
    """NumPy would join int64 and uint64 to float64."""
    number = 2**60 + 1
    assert tf.constant([np.int64(number), np.uint64(1)]).numpy().tolist() == [number, 1]


def test_dtypes_of_ml_dtypes_are_kept():
    one = tf.constant(1.0, tf.bfloat16).numpy()
    assert tf.constant([one, one]).dtype == tf.bfloat16


def test_complex_numbers_after_real_ones():
    assert tf.constant([1, 2 + 1j]).dtype == tf.complex128


def test_text_is_no_number():
    with pytest.raises(TypeError, match="True to EagerTensor of dtype string"):
        tf.constant(True, tf.string)
    with pytest.raises(ValueError, match="datetime64"):
        tf.constant([np.datetime64("2020")])


def test_functions_see_the_same_dtypes():
    @tf.function
    def sums(x):
        return x * [np.float64(1), 2.5], tf.stack([np.int64(1), 2]), [np.int64(3), 4] * tf.range(2)

    given, stacked, product = sums(tf.zeros(2))
    assert given.dtype == tf.float32
    assert stacked.dtype == tf.int32
    assert product.dtype == tf.int32


@pytest.mark.parametrize("values", [[np.int64(1), np.float32(2.5)], [1.5, np.float64(2)]], ids=str)
def test_rows_of_a_dataset(values):
    dataset = tf.data.Dataset.from_tensor_slices(values)
    assert dataset.element_spec.dtype == tf.float32
    assert [x.numpy() for x in dataset] == [np.float32(value) for value in values]
