"""Values whose class is not known."""

import pytest

import gradtape as tf
from gradtape.api.extension_types.anonymous import (
    AnonymousExtensionType,
    AnonymousExtensionTypeSpec,
    reinterpret,
)


class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor


def test_fields_are_given_by_name():
    value = AnonymousExtensionType(n=3, x=tf.constant([1.0]), inner=(1, {"a": tf.constant(2)}))
    spec = tf.type_spec_from_value(value)
    assert isinstance(spec, AnonymousExtensionTypeSpec)
    assert spec.x == tf.TensorSpec([1])
    assert [x.shape.rank for x in tf.nest.flatten(value, expand_composites=True)] == [1, 0]
    assert repr(AnonymousExtensionType(n=3)) == "AnonymousExtensionType(n=3)"
    with pytest.raises(AttributeError, match="Cannot set attribute `n`"):
        value.n = 4
    with pytest.raises(ValueError, match="Reserved field name __x__"):
        AnonymousExtensionType(__x__=3)
    with pytest.raises(ValueError, match="unsupported `value` argument"):
        AnonymousExtensionType(x=object())


def test_reinterpret():
    value = AnonymousExtensionType(values=tf.constant([1]), mask=tf.constant([True]))
    masked = reinterpret(value, Masked)
    assert isinstance(masked, Masked)
    assert bool(reinterpret(masked, AnonymousExtensionType) == value)
    with pytest.raises(ValueError, match="Got unexpected fields"):
        reinterpret(AnonymousExtensionType(values=1, mask=1, other=1), Masked)
    with pytest.raises(ValueError, match=r"to be a tf\.ExtensionType instance"):
        reinterpret(3, Masked)
    with pytest.raises(ValueError, match=r"a subclass of tf\.ExtensionType"):
        reinterpret(masked, int)
