"""Lists of numbers of several types, where TensorFlow refuses them or its rule leaves a choice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradtape as tf
from gradtape.core.convert import to_array
from gradtape.core.sequences import array_of_plain_numbers

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


# --- lists of nothing but Python's numbers -------------------------------------------------------

NUMBERS = st.one_of(
    st.floats(width=64),
    st.integers(-(2**70), 2**70),
    st.integers(-3, 300),
    st.booleans(),
    st.just(np.float32(0.5)),
    st.just(np.int8(3)),
    st.just(1j),
    st.just("text"),
)
OF_ONE_KIND = (st.floats(), st.integers(-300, 300), st.integers(-(2**40), 2**40))
NESTED = st.one_of(
    *(st.recursive(each, st.lists, max_leaves=12) for each in (NUMBERS, *OF_ONE_KIND))
)
ARRAYS = st.tuples(st.sampled_from(OF_ONE_KIND), st.integers(1, 3), st.integers(1, 3)).flatmap(
    lambda each: st.lists(
        st.lists(each[0], min_size=each[1], max_size=each[1]), min_size=each[2], max_size=each[2]
    )
)


@given(st.one_of(NESTED, ARRAYS), st.sampled_from([None, *"fdeiblBQ?FO"]))
@settings(max_examples=400, deadline=None)
def test_plain_numbers_become_what_the_general_way_makes_of_them(value, code):
    dtype = None if code is None else np.dtype(code)
    with np.errstate(all="ignore"):
        array = array_of_plain_numbers(value, dtype) if isinstance(value, list) else None
        if array is not None:
            general = to_array(value, dtype)
            assert array.dtype == general.dtype
            np.testing.assert_array_equal(array, general)


@pytest.mark.parametrize("value", [[1.0], [1, 2], [[1.0, 2], (3, 4.0)], [[[[5]]]], [2**31 - 1]])
def test_plain_numbers_do_not_take_the_general_way(monkeypatch, value):
    expected = to_array(value)
    monkeypatch.setattr("gradtape.core.convert.to_array", None)
    result = tf.constant(value).numpy()
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)
