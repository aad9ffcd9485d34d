"""Messages do not print whole arrays."""

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.brief import brief

LARGE = np.zeros((30, 40), np.float32)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.arange(3), "array([0, 1, 2])"),
        (LARGE, "<ndarray: shape=(30, 40), dtype=float32>"),
        (tf.constant(LARGE), "<Tensor: shape=(30, 40), dtype=float32>"),
        (tf.Variable(LARGE), "<Variable: shape=(30, 40), dtype=float32>"),
        (tf.constant(1.0), "<tf.Tensor: shape=(), dtype=float32, numpy=1.0>"),
        ([1, (2.5, None), {"a": "b"}], "[1, (2.5, None), {'a': 'b'}]"),
        ({"x": LARGE}, "{'x': <ndarray: shape=(30, 40), dtype=float32>}"),
        (tf.float32, "tf.float32"),
    ],
)
def test_values(value, text):
    assert brief(value) == text


def test_long_ones_are_cut():
    assert len(brief(list(range(10**5)))) < 100
    assert len(brief("x" * 10**5)) < 400
    assert len(brief(tf.SparseTensor([[0]], [1.0], [10**6]))) < 400


MISTAKES = {
    "another dtype": lambda: tf.convert_to_tensor(tf.constant(LARGE), tf.int32),
    "fractions": lambda: tf.constant([1]) + (LARGE + 0.5),
    "complex to real": lambda: tf.constant(LARGE.astype(complex), tf.float32),
    "mixed list": lambda: tf.constant([["a"] * 1000, [1] * 1000]),
    "an object in a list": lambda: tf.constant([object(), LARGE]),
    "watch": lambda: tf.GradientTape().watch(LARGE),
    "shape": lambda: tf.constant(LARGE, shape=(7,)),
    "key": lambda: tf.constant(LARGE)[LARGE],
    "a sparse tensor as a dense one": lambda: tf.reduce_sum(
        tf.SparseTensor(np.arange(4000).reshape(-1, 1), np.zeros(4000), [4000])
    ),
    "a dense tensor as a sparse one": lambda: tf.sparse.to_dense(tf.constant(LARGE)),
    "generator": lambda: list(
        tf.data.Dataset.from_generator(
            lambda: iter([LARGE]), output_signature=tf.TensorSpec((), tf.string)
        )
    ),
    "batch size": lambda: tf.data.Dataset.range(3).batch(LARGE),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_messages_are_short(name):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - of several kinds; the text counts
        MISTAKES[name]()
    assert 20 < len(str(caught.value)) < 800
    assert "0., 0., 0., 0., 0., 0." not in str(caught.value)
