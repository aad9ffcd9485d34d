"""What tensors hold keeps the promises of `core.protocols`."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.native import extension, is_deferred
from gradtape.core.protocols import Payload
from gradtape.engine.vmap import vmap
from gradtape.graph.traced import AbstractArray


def held_by(x, shape) -> None:
    data = x._data
    assert isinstance(data, Payload)
    assert (data.shape, data.dtype, data.ndim) == (shape, np.float32, len(shape))


def test_every_kind_is_a_payload():
    held_by(tf.constant([1.0, 2.0]), (2,))
    held_by(tf.constant(1.0), ())
    held_by(tf.Variable(1.0), ())
    kinds = []

    def traced(x):
        kinds.append(type(x._data))
        held_by(x, (2,))
        return x

    tf.function(traced)(tf.constant([1.0, 2.0]))
    vmap(traced)(tf.zeros([3, 2]))
    assert kinds[0] is AbstractArray


@pytest.mark.skipif(extension is None, reason="values are deferred by the extension")
def test_a_deferred_value():
    before = extension.fuse_from(2)
    try:
        x = tf.constant([1.0, 2.0]) * 2.0 + 1.0
        assert is_deferred(x._data)
        held_by(x, (2,))
        result = x._host_data()
        assert type(result) is np.ndarray
        assert result.tolist() == [3.0, 5.0]
    finally:
        extension.fuse_from(before)


def test_a_value_that_there_is_not():
    def asks(x):
        x._host_data()
        return x

    with pytest.raises(Exception, match=r"vmap|scope|function"):
        vmap(asks)(tf.zeros([3, 2]))
