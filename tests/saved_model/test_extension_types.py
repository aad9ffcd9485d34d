"""Extension types as arguments and results of functions in SavedModels."""

import typing
import warnings

import numpy as np
import pytest

import gradtape as tf
from gradtape.api.extension_types.anonymous import AnonymousExtensionType, reinterpret
from gradtape.api.spec_names import NAME_TO_TYPE_SPEC


class Masked(tf.experimental.BatchableExtensionType):
    __name__ = "gradtape.tests.Masked"
    values: tf.Tensor
    mask: tf.Tensor


class Named(tf.experimental.ExtensionType):
    __name__ = "gradtape.tests.Named"
    inner: Masked
    n: int
    parts: typing.Mapping[str, tf.Tensor]
    shape: tf.TensorShape
    dtype: tf.DType = tf.float32
    others: tuple[tf.Tensor, ...] = ()


class Scale(tf.Module):
    def __init__(self):
        self.v = tf.Variable(2.0)

    @tf.function
    def scale(self, m):
        return Masked(m.values * self.v, m.mask)

    @tf.function
    def named(self, n, k=2.0):
        return {"n": n, "k": n.inner.values * k}

    @tf.function(
        input_signature=[Masked.Spec(tf.TensorSpec([None]), tf.TensorSpec([None], tf.bool))]
    )
    def same(self, m):
        return m


def loaded(model, path, **options):
    tf.saved_model.save(model, str(path), **options)
    return tf.saved_model.load(str(path))


def test_functions_take_and_return_them(tmp_path):
    model = Scale()
    named = Named(Masked([1.0], [True]), 3, {"b": 1.0, "a": 2.0}, [None, 2], tf.int32, (1,))
    model.scale(Masked([1.0, 2.0], [True, False]))
    model.named(named)
    again = loaded(model, tmp_path)
    result = again.scale(Masked([3.0, 4.0], [True, False]))
    assert isinstance(result, Masked)
    np.testing.assert_array_equal(result.values, [6.0, 8.0])
    result = again.named(named)
    assert bool(result["n"] == named)
    np.testing.assert_array_equal(result["k"], [2.0])
    np.testing.assert_array_equal(again.same(Masked([1.0], [True])).mask, [True])
    with pytest.raises(ValueError, match="Could not find matching concrete function"):
        again.scale(Masked([1.0], [True]))


def test_open_sizes_and_ranks_are_saved_as_asked_for(tmp_path):
    for number, shape in enumerate(([None], None)):
        model = Scale()
        spec = Masked.Spec(tf.TensorSpec(shape), tf.TensorSpec(shape, tf.bool))
        model.scale.get_concrete_function(spec)
        again = loaded(model, tmp_path / str(number))
        assert len(again.scale.concrete_functions) == 1
        for size in (1, 3):
            result = again.scale(Masked([1.0] * size, [True] * size))
            np.testing.assert_array_equal(result.values, [2.0] * size)
    np.testing.assert_array_equal(again.scale(Masked([[1.0]], [[True]])).values, [[2.0]])


def test_ops_that_depend_on_an_open_rank_are_saved_for_several(tmp_path):
    class Transposed(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec(None)])
        def __call__(self, x):
            return tf.transpose(x)

    again = loaded(Transposed(), tmp_path)
    assert len(again.__call__.concrete_functions) == 5
    np.testing.assert_array_equal(again(tf.constant([[1.0, 2.0]])), [[1.0], [2.0]])
    np.testing.assert_array_equal(again(tf.zeros([2, 3, 4])), np.zeros([4, 3, 2]))


def test_a_signature_of_tensors_is_saved_for_all_sizes(tmp_path):
    class Doubles(tf.Module):
        @tf.function
        def double(self, x):
            return x * 2

    model = Doubles()
    model.double.get_concrete_function(tf.TensorSpec([None, 3]))
    (function,) = loaded(model, tmp_path).double.concrete_functions
    assert function.structured_input_signature[0][0].shape.as_list() == [None, 3]


def test_signatures_name_each_tensor(tmp_path):
    model = Scale()
    served = loaded(model, tmp_path, signatures=model.same).signatures["serving_default"]
    result = served(m=tf.constant([1.0]), m_1=tf.constant([True]))
    assert sorted(result) == ["output_0", "output_1"]


def test_a_class_without_a_name_cannot_be_saved(tmp_path):
    class Nameless(tf.experimental.ExtensionType):
        x: tf.Tensor

    class Model(tf.Module):
        @tf.function
        def f(self, n):
            return n.x

    model = Model()
    model.f(Nameless(1))
    with pytest.raises(ValueError, match="No encoder for object"):
        tf.saved_model.save(model, str(tmp_path))


def test_a_class_that_is_not_known_is_anonymous(tmp_path, monkeypatch):
    model = Scale()
    value = Masked([1.0, 2.0], [True, False])
    model.scale(value)
    tf.saved_model.save(model, str(tmp_path))
    monkeypatch.delitem(NAME_TO_TYPE_SPEC, "gradtape.tests.Masked.Spec")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        again = tf.saved_model.load(str(tmp_path))
    assert any("has not been registered" in str(each.message) for each in caught)
    result = again.scale(reinterpret(value, AnonymousExtensionType))
    assert isinstance(result, AnonymousExtensionType)
    np.testing.assert_array_equal(reinterpret(result, Masked).values, [2.0, 4.0])
