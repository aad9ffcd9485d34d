"""Specs of extension types: what they say, and how they are related."""

import typing

import pytest

import gradtape as tf


class Pair(tf.experimental.ExtensionType):
    x: tf.Tensor
    n: int = 3
    shape: tf.TensorShape = tf.TensorShape([])


class Masked(tf.experimental.BatchableExtensionType):
    values: tf.Tensor
    mask: tf.Tensor

    class Spec:
        def __init__(self, shape, dtype=tf.float32):
            self.values = tf.TensorSpec(shape, dtype)
            self.mask = tf.TensorSpec(shape, tf.bool)

        shape = property(lambda self: self.values.shape)


def spec(shape, n=3, of=()):
    return Pair.Spec(tf.TensorSpec(shape), n, tf.TensorShape(of))


def test_a_value_has_a_spec():
    assert tf.type_spec_from_value(Pair([1.0])) == spec([1])
    assert repr(spec([None])) == (
        "Pair.Spec(x=TensorSpec(shape=(None,), dtype=tf.float32, name=None), n=3, "
        "shape=TensorShape([]))"
    )
    assert hash(spec([None])) == hash(spec([None]))
    with pytest.raises(TypeError, match="x: expected a TensorSpec, got 'int'"):
        Pair.Spec(3, 3, [])
    with pytest.raises(AttributeError, match="Cannot mutate attribute `n`"):
        spec([1]).n = 4


def test_specs_are_compared_part_by_part():
    wide, narrow, other = spec([None, 2]), spec([3, 2]), spec([4, 2])
    assert wide.is_compatible_with(narrow)
    assert not narrow.is_compatible_with(other)
    assert wide.is_compatible_with(Pair(tf.zeros([3, 2])))
    assert not wide.is_compatible_with(Pair(tf.zeros([3, 3])))
    assert not wide.is_compatible_with(spec([3, 2], n=4))
    assert narrow.is_subtype_of(wide)
    assert not wide.is_subtype_of(narrow)
    assert narrow.most_specific_compatible_type(other) == wide
    assert narrow.most_specific_common_supertype([spec([3, 2], n=4)]) is None
    assert spec([3, 2])._with_tensor_ranks_only() == spec([None, None])
    with pytest.raises(ValueError, match="No TypeSpec is compatible with both"):
        narrow.most_specific_compatible_type(spec([3, 2], n=4))


def test_a_spec_of_its_own():
    mine = Masked.Spec([None, 2])
    assert mine.shape.as_list() == [None, 2]
    assert mine.is_compatible_with(Masked(tf.zeros([3, 2]), tf.ones([3, 2], tf.bool)))
    assert mine.mask == tf.TensorSpec([None, 2], tf.bool)


def test_components():
    class Holder(tf.experimental.ExtensionType):
        parts: typing.Mapping[str, tf.Tensor]
        rows: tf.RaggedTensor

    holder = Holder({"b": 1, "a": 2.0}, tf.ragged.constant([[1], [2, 3]]))
    spec = tf.type_spec_from_value(holder)
    components = spec._to_components(holder)
    assert [type(x).__name__ for x in components] == ["Tensor", "Tensor", "RaggedTensor"]
    assert [float(x) for x in components[:2]] == [2.0, 1.0]  # by key
    again = spec._from_components(components)
    assert again.rows.to_list() == [[1], [2, 3]]
    with pytest.raises(ValueError, match="more components are provided"):
        spec._from_components((*components, 3))


def test_default_batches_have_a_first_axis_everywhere():
    class Network(tf.experimental.BatchableExtensionType):
        shape: tf.TensorShape
        work: tf.Tensor
        inner: Masked
        n: int

    one = Network.Spec([], tf.TensorSpec([3]), Masked.Spec([2]), 5)
    batch = one._batch(4)
    assert batch == Network.Spec([4], tf.TensorSpec([4, 3]), Masked.Spec([4, 2]), 5)
    assert batch._unbatch() == one
