"""Tensors and variables spread over a mesh: the same numbers, in parts."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.distribute import Mesh, shard

X = np.random.default_rng(0).standard_normal((8, 12)).astype(np.float32)
W = np.random.default_rng(1).standard_normal((12, 8)).astype(np.float32)


@pytest.fixture(scope="module")
def mesh():
    return Mesh({"data": 2, "model": 4})


def parts(x) -> set:
    return {shard.data.shape for shard in x._data.addressable_shards}


def test_a_tensor_is_divided(mesh):
    x = shard(X, mesh, ("data", "model"))
    assert parts(x) == {(4, 3)}
    assert parts(shard(X, mesh)) == {(8, 12)}
    assert parts(shard(X, mesh, (("data", "model"),))) == {(1, 12)}
    np.testing.assert_array_equal(x, X)
    assert x.shape == (8, 12)


def test_ops_on_parts_give_the_same(mesh):
    x, w = shard(X, mesh, ("data",)), shard(W, mesh, (None, "model"))
    np.testing.assert_allclose(tf.tanh(x @ w), np.tanh(X @ W), rtol=1e-5, atol=1e-6)
    assert parts(x @ w) == {(4, 2)}
    np.testing.assert_allclose(tf.reduce_sum(x), X.sum(), rtol=1e-4)
    # With tensors of the host, and of one device.
    np.testing.assert_allclose(x + X, X + X)
    with tf.device("/XLA:0"):
        np.testing.assert_allclose(x + tf.constant(X), X + X)


def test_gradients_have_the_layout_of_their_variables(mesh):
    w = tf.Variable(shard(W, mesh, (None, "model")))
    x = shard(X, mesh, ("data",))

    def gradient(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.tanh(x @ w) ** 2)
        return tape.gradient(loss, w)

    plain = tf.Variable(W)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.tanh(tf.constant(X) @ plain) ** 2)
    expected = tape.gradient(loss, plain)
    for function in (gradient, tf.function(gradient)):
        np.testing.assert_allclose(function(x), expected, rtol=1e-4, atol=1e-6)

    @tf.function
    def step(x):
        w.assign_sub(0.1 * gradient(x))

    for _ in range(2):
        step(x)
    assert parts(w) == {(12, 2)}
    w.assign(np.zeros((12, 8), np.float32))
    w.assign_add(np.ones((12, 8), np.float32))
    assert parts(w) == {(12, 2)}
    assert w.numpy().sum() == 96


def test_a_layout_inside_a_function(mesh):
    @tf.function
    def function(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = shard(x * x, mesh, (None, "model"))
            total = tf.reduce_sum(y)
        return y, tape.gradient(total, x)

    y, gradient = function(shard(X, mesh, ("data",)))
    assert parts(y) == {(8, 3)}
    np.testing.assert_allclose(gradient, 2 * X)
    rows = tf.function(lambda x: tf.vectorized_map(lambda r: shard(r, mesh, ("model",)), x))
    np.testing.assert_array_equal(rows(shard(X, mesh)), X)


def test_recomputed_gradients(mesh):
    w = tf.Variable(shard(W, mesh, (None, "model")))
    x = shard(X, mesh, ("data",))

    def gradient(wrap):
        def function(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(wrap(lambda x: tf.sin(x @ w))(x) ** 2)
            return tape.gradient(loss, w)

        return tf.function(function)(x)

    np.testing.assert_allclose(gradient(tf.recompute_grad), gradient(lambda f: f), rtol=1e-6)


def test_errors(mesh):
    with pytest.raises(
        ValueError, match=r"data=4 × model=4 needs 16 devices, and there are 8\..*16"
    ):
        Mesh({"data": 4, "model": 4})
    with pytest.raises(ValueError, match=r"axes must be names with sizes"):
        Mesh({})
    with pytest.raises(
        ValueError, match=r"'rows' is no axis of <Mesh data=2 × model=4, 8 devices>"
    ):
        shard(X, mesh, ("rows",))
    with pytest.raises(ValueError, match=r"axis 1 of a tensor of shape \(8, 5\).*4 equal parts"):
        shard(X[:, :5], mesh, (None, "model"))
    with pytest.raises(ValueError, match=r"name 3 axes, and the tensor of shape \(8, 12\) has 2"):
        shard(X, mesh, (None, None, "data"))
    with pytest.raises(ValueError, match=r"an axis of the mesh can divide one axis"):
        shard(X, mesh, ("data", "data"))
    with pytest.raises(TypeError, match=r"Shard its initial value"):
        shard(tf.Variable(X), mesh, ("data",))
