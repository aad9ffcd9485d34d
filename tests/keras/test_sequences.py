"""Recurrent layers and attention as one op: the same numbers as loops and composites."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.tensor import Spec
from gradtape.graph.derived import trace_graph

X = np.random.default_rng(0).standard_normal((4, 6, 5)).astype(np.float32)


class Seen:
    """The names of the primitives that are bound."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def record(self, prim, inputs, params, out) -> None:
        self.names.add(prim.name)

    def read_mark(self, variable, marks):
        return marks


def bound_by(function) -> set[str]:
    from gradtape.core.state import get_state, using

    seen = Seen()
    with using(accumulators=(*get_state().accumulators, seen)):
        function()
    return seen.names


def results(layer, x=X, **call):
    """A layer's results, and the gradients of the sum of their squares by weights and inputs."""
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = layer(x, **call)
        result = list(result) if isinstance(result, (list, tuple)) else [result]
        loss = sum(tf.reduce_sum(tf.square(y)) for y in result)
    return result + tape.gradient(loss, [*layer.trainable_weights, x])


def same(result, expected):
    for y, z in zip(result, expected, strict=True):
        np.testing.assert_allclose(y, z, rtol=1e-4, atol=1e-5)


def twins(layer_type, **options):
    """Two layers with the same weights: one may run as one op, the other may not."""
    fused, loop = layer_type(7, **options), layer_type(7, use_cudnn=False, **options)
    fused.build(X.shape)
    loop.build(X.shape)
    loop.set_weights(fused.get_weights())
    return fused, loop


OPTIONS = [
    {},
    {"return_sequences": True},
    {"return_state": True},
    {"go_backwards": True, "return_sequences": True, "return_state": True},
    {"use_bias": False},
    {"dropout": 0.5},
]


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
@pytest.mark.parametrize("name", ["LSTM", "GRU"])
def test_recurrent_layers(keras, name, options):
    fused, loop = twins(getattr(keras.layers, name), **options)
    assert name.lower() in bound_by(lambda: fused(X))
    assert name.lower() not in bound_by(lambda: loop(X))
    same(results(fused), results(loop))


@pytest.mark.parametrize(
    "options",
    [{"activation": "relu"}, {"recurrent_activation": "hard_sigmoid"}, {"dtype": "float16"}],
    ids=repr,
)
def test_unusual_lstms_run_by_steps(keras, options):
    assert "lstm" not in bound_by(lambda: keras.layers.LSTM(3, **options)(X))


def test_masks_and_early_resets_run_by_steps(keras):
    mask = np.array([[True] * 4 + [False] * 2] * 4)
    assert "lstm" not in bound_by(lambda: keras.layers.LSTM(3)(X, mask=mask))
    assert "gru" not in bound_by(lambda: keras.layers.GRU(3, reset_after=False)(X))


def test_second_derivatives_of_an_lstm(keras):
    fused, loop = twins(keras.layers.LSTM)

    def penalty(layer):
        x = tf.constant(X)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(tf.square(layer(x)))
            size = tf.reduce_sum(tf.square(inner.gradient(y, x)))
        return outer.gradient(size, layer.trainable_weights)

    same(penalty(fused), penalty(loop))


def test_an_lstm_trains_in_a_function(keras):
    fused, loop = twins(keras.layers.LSTM)

    @tf.function
    def gradients(x):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.square(fused(x)))
        return tape.gradient(y, fused.trainable_weights)

    same(gradients(tf.constant(X)), results(loop)[1:-1])


@pytest.mark.parametrize("layer_type", ["LSTM", "GRU"])
def test_a_function_has_as_many_ops_for_any_number_of_steps(keras, layer_type):
    """Its gradient is one op too: a compiler does not meet the steps written out."""
    layer = getattr(keras.layers, layer_type)(3)
    layer.build((4, None, 5))

    def gradients(tensors):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.square(layer(tensors[0])))
        return tape.gradient(y, layer.trainable_weights)

    graphs = [trace_graph(gradients, [Spec((4, n, 5), np.dtype("f"))]) for n in (3, 60)]
    names = [[node.prim.name for node in graph.nodes] for graph in graphs]
    assert names[0] == names[1]
    assert f"{layer_type.lower()}_grad" in names[0]


def _attended(keras, **options):
    q, k, v = (np.random.default_rng(i).standard_normal((2, 6, 3, 4)) for i in range(3))
    q, k, v = (tf.constant(x, tf.float32) for x in (q, k, v))
    with tf.GradientTape() as tape:
        tape.watch([q, k, v])
        y = keras.ops.dot_product_attention(q, k, v, **options)
        loss = tf.reduce_sum(tf.square(y))
    return [y, *tape.gradient(loss, [q, k, v])]


def _by_hand(bias=None, mask=None, scale=None, is_causal=False):
    q, k, v = (np.random.default_rng(i).standard_normal((2, 6, 3, 4)) for i in range(3))
    q, k, v = (tf.constant(x, tf.float32) for x in (q, k, v))
    with tf.GradientTape() as tape:
        tape.watch([q, k, v])
        logits = tf.einsum("btnh,bsnh->bnts", q, k) * (0.5 if scale is None else scale)
        logits = logits if bias is None else logits + bias
        logits = logits if mask is None else tf.where(mask, logits, -2e38)
        logits = tf.where(np.tri(6, dtype=bool), logits, -2e38) if is_causal else logits
        y = tf.einsum("bnts,bsnh->btnh", tf.nn.softmax(logits), v)
        loss = tf.reduce_sum(tf.square(y))
    return [y, *tape.gradient(loss, [q, k, v])]


MASK = np.random.default_rng(5).random((2, 1, 6, 6)) > 0.4
MASK[1, 0, 2] = False  # a query that sees nothing


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scale": 0.2},
        {"is_causal": True},
        {"mask": MASK},
        {"mask": MASK, "is_causal": True},
        {"bias": np.random.default_rng(6).random((3, 6, 6)).astype(np.float32), "mask": MASK},
    ],
    ids=lambda options: " ".join(options) or "plain",
)
def test_attention(keras, options):
    assert "attention" in bound_by(lambda: _attended(keras, **options))
    same(_attended(keras, **options), _by_hand(**options))


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_masked_attention_in_half_precision(keras, dtype):
    """The mask is a term of the logits, which are in float32."""
    q, k, v = (np.random.default_rng(i).standard_normal((2, 6, 3, 4)) for i in range(3))
    narrow = [tf.cast(x, dtype) for x in (q, k, v)]
    result = keras.ops.dot_product_attention(*narrow, mask=MASK)
    wide = keras.ops.dot_product_attention(*(tf.cast(x, "float32") for x in narrow), mask=MASK)
    assert result.dtype == dtype
    np.testing.assert_array_equal(tf.cast(wide, dtype), result)
    layer = keras.layers.MultiHeadAttention(2, 4, dtype="mixed_" + dtype)
    assert layer(X, X, attention_mask=np.ones((4, 1, 6), bool)).dtype == dtype


def test_multi_head_attention_runs_as_one_op(keras):
    layer = keras.layers.MultiHeadAttention(2, 4)
    assert "attention" in bound_by(lambda: layer(X, X, use_causal_mask=True))
