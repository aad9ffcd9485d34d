"""Datasets of extension types. Specs and values are TensorFlow's."""

import numpy as np
import pytest

import gradtape as tf


class Masked(tf.experimental.BatchableExtensionType):
    values: tf.Tensor
    mask: tf.Tensor

    class Spec:
        def __init__(self, shape, dtype=tf.int32):
            self.values = tf.TensorSpec(shape, dtype)
            self.mask = tf.TensorSpec(shape, tf.bool)


class Network(tf.experimental.BatchableExtensionType):
    shape: tf.TensorShape
    work: tf.Tensor
    inner: Masked


class Rows(tf.experimental.BatchableExtensionType):
    rows: tf.RaggedTensor | tf.Tensor


class Plain(tf.experimental.ExtensionType):
    x: tf.Tensor


def masked():
    return Masked([[1, 2], [3, 4], [5, 6]], [[True, False]] * 3)


def network(k):
    return Network([], [k, k + 1], Masked(k, True))


def test_slices_batches_and_rows():
    slices = tf.data.Dataset.from_tensor_slices(masked())
    assert slices.element_spec == Masked.Spec([2])
    assert [m.values.numpy().tolist() for m in slices] == [[1, 2], [3, 4], [5, 6]]
    batches = slices.batch(2)
    assert batches.element_spec == Masked.Spec([None, 2])
    assert [m.values.numpy().tolist() for m in batches] == [[[1, 2], [3, 4]], [[5, 6]]]
    assert [m.values.numpy().tolist() for m in batches.unbatch()] == [[1, 2], [3, 4], [5, 6]]
    (whole,) = batches.rebatch(3)
    np.testing.assert_array_equal(whole.values, masked().values)
    assert len(list(slices.shuffle(3).repeat(2).filter(lambda m: m.values[0] > 1))) == 4


def test_static_shapes_follow_the_batches():
    made = tf.data.Dataset.from_tensors(network(1)).concatenate(
        tf.data.Dataset.from_tensors(network(2))
    )
    (batch,) = made.batch(2)
    assert batch.shape.as_list() == [None]
    np.testing.assert_array_equal(batch.work, [[1, 2], [2, 3]])
    np.testing.assert_array_equal(batch.inner.values, [1, 2])
    (batch,) = made.batch(2, drop_remainder=True)
    assert batch.shape.as_list() == [2]
    first = next(iter(made.batch(2).unbatch()))
    assert first.shape.as_list() == []
    np.testing.assert_array_equal(first.work, [1, 2])
    slices = tf.data.Dataset.from_tensor_slices(batch)
    assert [n.shape.as_list() for n in slices] == [[], []]


def test_functions_take_and_return_them():
    doubled = tf.data.Dataset.from_tensor_slices((masked(), [7, 8, 9])).map(
        lambda m, y: (y, Masked(m.values * 2, m.mask))
    )
    assert doubled.element_spec == (tf.TensorSpec([], tf.int32), Masked.Spec([2]))
    y, m = next(iter(doubled.batch(3)))
    np.testing.assert_array_equal(y, [7, 8, 9])
    np.testing.assert_array_equal(m.values, [[2, 4], [6, 8], [10, 12]])
    total = tf.data.Dataset.from_tensor_slices(masked()).reduce(0, lambda s, m: s + m.values[0])
    assert int(total) == 9


def test_ragged_fields():
    rows = Rows(tf.ragged.constant([[1], [2, 3], [4]]))
    batches = tf.data.Dataset.from_tensor_slices(rows).batch(2)
    assert [b.rows.to_list() for b in batches] == [[[1], [2, 3]], [[4]]]
    assert next(iter(batches)).rows.row_splits.dtype is tf.int64


def test_generators_are_checked():
    def made():
        yield Masked([1, 2], [True, True])
        yield Masked([1], [True])

    data = tf.data.Dataset.from_generator(made, output_signature=Masked.Spec([None]))
    assert [m.values.shape[0] for m in data] == [2, 1]
    wrong = tf.data.Dataset.from_generator(made, output_signature=Masked.Spec([2]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"where Masked\.Spec\(values="):
        list(wrong)


def test_what_cannot_be_batched_says_so():
    data = tf.data.Dataset.from_tensors(Plain([1, 2]))
    assert next(iter(data)).x.shape == [2]
    with pytest.raises(AttributeError, match=r"make its class a tf\.experimental\.Batchable"):
        tf.data.Dataset.from_tensor_slices(Plain([1, 2]))
    with pytest.raises(TypeError, match="Batching of values of type Plain"):
        list(data.batch(2))


class Reversed(tf.experimental.ExtensionTypeBatchEncoder):
    """Batches the negative of a number."""

    def encode(self, spec, value, minimum_rank=0):
        return -value.x

    def decode(self, spec, encoded_value):
        return Number(-encoded_value)

    def encoding_specs(self, spec):
        return spec.x


class Number(tf.experimental.BatchableExtensionType):
    x: tf.Tensor
    __batch_encoder__ = Reversed()


def test_an_encoder_of_its_own():
    encoded = []
    Reversed.encode, encode = (
        lambda self, *args, **kw: encoded.append(args) or encode(self, *args, **kw),
        Reversed.encode,
    )
    try:
        (batch,) = tf.data.Dataset.from_tensor_slices(Number([1, 2])).batch(2)
    finally:
        Reversed.encode = encode
    np.testing.assert_array_equal(batch.x, [1, 2])
    assert len(encoded) == 3  # the whole, and each row
