"""Small manners of TensorFlow that libraries rely on; found with TensorFlow Probability's tests."""

import functools
import inspect
import weakref
from types import MappingProxyType

import numpy as np
import pytest

import gradtape as tf


def test_decompositions_have_named_parts():
    x = tf.constant([[2.0, 1.0], [1.0, 3.0]])
    factors = tf.linalg.qr(x)
    np.testing.assert_allclose(factors.q @ factors.r, x, rtol=1e-6)
    assert factors._fields == ("q", "r")
    assert tf.linalg.lu(x).p.numpy().tolist() == [0, 1]
    assert tf.function(lambda x: tf.linalg.qr(x).r)(x).shape == [2, 2]


def test_a_range_is_a_flat_sequence():
    assert tf.nest.pack_sequence_as([1, [2]], range(2)) == [0, [1]]


def test_mappings_are_told_apart():
    is_mapping = tf.__internal__.nest.is_mapping
    assert all(map(is_mapping, [{}, {"a": 1}, MappingProxyType({})]))
    assert not any(map(is_mapping, [[], (), "a", 1, None, tf.constant(1.0)]))


def test_a_pair_is_no_seed_in_tensorflows_words():
    with pytest.raises(TypeError, match="Expected int for argument"):
        tf.random.normal([2], seed=tf.constant([1, 2]))


def test_functions_take_the_description_of_another():
    def documented(x):
        """Say what is done."""
        return x

    def wrapped(x):
        return x + 1

    function = tf.function(wrapped)
    assert function.__doc__ is None
    assert tf.function(documented).__doc__ == "Say what is done."
    assert functools.update_wrapper(function, documented).__doc__ == "Say what is done."
    assert function(1.0) == 2.0


def test_a_tuple_stands_for_a_list_in_the_loops_of_functions():
    def count(x):
        return tf.while_loop(lambda s: s[0] < 3.0, lambda s: ((s[0] + 1.0, s[1]),), ([x, x],))

    ((first, second),) = tf.function(count)(tf.constant(1.0))
    assert (first, second) == (3.0, 1.0)
    # Outside of functions it does not; TensorFlow raises a TypeError there.
    with pytest.raises(ValueError, match="same nested structure"):
        count(tf.constant(1.0))


def test_a_vector_chooses_rows_in_the_old_where():
    rows = [[1, 2], [3, 4]], [[5, 6], [7, 8]]
    where = tf.compat.v1.where
    assert where([True, False], *rows).numpy().tolist() == [[1, 2], [7, 8]]
    assert tf.where([True, False], *rows).numpy().tolist() == [[1, 6], [3, 8]]
    assert where([True, False], [1, 2], [3, 4]).numpy().tolist() == [1, 4]
    assert where(True, *rows).numpy().tolist() == rows[0]
    assert where([False, True]).numpy().tolist() == [[1]]


def test_the_parameters_of_a_function_with_a_custom_gradient_can_be_inspected():
    def f(x, scale=2.0):
        return x * scale, lambda g: g

    wrapped = tf.custom_gradient(f)
    # Libraries ask whether a function takes arguments; `getfullargspec` follows no `__wrapped__`.
    assert inspect.getfullargspec(wrapped).args == ["x", "scale"]
    assert inspect.signature(wrapped) == inspect.signature(f)
    assert wrapped.__original_wrapped__ is f
    with pytest.raises(AttributeError, match="'Bound' object has no attribute 'spec'"):
        _ = wrapped.spec


def test_an_empty_list_is_of_the_dtype_that_an_op_takes():
    def several():
        return (
            tf.one_hot([], 3),
            tf.one_hot([[]], 3, 5, 6),
            tf.logical_not([[]]),
            tf.logical_or([], [True]),
            tf.where([], 1.0, 2.0),
            tf.reduce_any([[], []], axis=1),
        )

    for results in (several(), tf.function(several)()):
        assert [(x.dtype.name, x.shape) for x in results] == [
            ("float32", [0, 3]),
            ("int32", [1, 0, 3]),
            ("bool", [1, 0]),
            ("bool", [0]),
            ("float32", [0]),
            ("bool", [2]),
        ]
        assert results[-1].numpy().tolist() == [False, False]
    with pytest.raises(tf.errors.InvalidArgumentError, match="float32"):
        tf.logical_not(tf.constant([]))


def test_references_of_tensors_are_weakly_referenced():
    reference = tf.constant(1.0).ref()
    assert weakref.ref(reference)() is reference
    assert weakref.WeakKeyDictionary({reference: 2})[reference] == 2
