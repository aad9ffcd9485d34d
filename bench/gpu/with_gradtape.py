"""The programs as TensorFlow users write them: a GradientTape inside a tf.function, or eager."""

from __future__ import annotations

import math

from arrays import ADAM, MLP_SIZES, chain_data, gpt2_data, gpt2_parameters, mlp_data, mlp_parameters

import gradtape as tf


class Adam:
    """Adam, written out: its state is in variables, beside the parameters."""

    def __init__(self, variables) -> None:
        self.variables = list(variables)
        self.first = [tf.Variable(tf.zeros_like(v), trainable=False) for v in self.variables]
        self.second = [tf.Variable(tf.zeros_like(v), trainable=False) for v in self.variables]
        self.steps = tf.Variable(0.0, trainable=False)

    def apply(self, gradients) -> None:
        beta_1, beta_2 = ADAM["beta_1"], ADAM["beta_2"]
        self.steps.assign_add(1.0)
        correction = tf.sqrt(1 - beta_2**self.steps) / (1 - beta_1**self.steps)
        rate = ADAM["rate"] * correction
        for v, m, s, g in zip(self.variables, self.first, self.second, gradients, strict=True):
            g = tf.convert_to_tensor(g)
            m.assign(beta_1 * m + (1 - beta_1) * g)
            s.assign(beta_2 * s + (1 - beta_2) * tf.square(g))
            v.assign_sub(rate * m / (tf.sqrt(s) + ADAM["epsilon"]))


def wait(value) -> float:
    return float(value)


def _trained(parameters, loss_of, data, compiled=True):
    variables = {name: tf.Variable(array) for name, array in parameters.items()}
    optimizer = Adam(variables.values())
    data = [tf.constant(array) for array in data]

    def step(*data):
        with tf.GradientTape() as tape:
            loss = loss_of(variables, *data)
        optimizer.apply(tape.gradient(loss, list(variables.values())))
        return loss

    if compiled:
        step = tf.function(step, jit_compile=True)
    return lambda: step(*data)


def gpt2(size):
    causal = tf.constant(-1e9, tf.float32) * (
        1 - tf.linalg.band_part(tf.ones([size.length, size.length]), -1, 0)
    )

    def normed(x, scale, shift):
        wide = tf.cast(x, tf.float32)
        mean, variance = tf.nn.moments(wide, [-1], keepdims=True)
        return tf.cast((wide - mean) * tf.math.rsqrt(variance + 1e-5) * scale + shift, x.dtype)

    def loss_of(p, tokens, targets):
        def half(name):
            return tf.cast(p[name], tf.bfloat16)

        def dense(x, name):
            return tf.matmul(x, half(f"{name}.weights")) + half(f"{name}.bias")

        def heads(x):
            shape = [size.batch, size.length, size.heads, size.width // size.heads]
            return tf.transpose(tf.reshape(x, shape), [0, 2, 1, 3])

        table = half("tokens")
        x = tf.gather(table, tokens) + half("positions")
        for i in range(size.layers):
            y = normed(x, p[f"{i}.norm_1.scale"], p[f"{i}.norm_1.shift"])
            q, k, v = map(heads, tf.split(dense(y, f"{i}.qkv"), 3, -1))
            scores = tf.matmul(q, k, transpose_b=True) / math.sqrt(size.width // size.heads)
            weights = tf.nn.softmax(tf.cast(scores, tf.float32) + causal)
            y = tf.matmul(tf.cast(weights, tf.bfloat16), v)
            y = tf.reshape(tf.transpose(y, [0, 2, 1, 3]), [size.batch, size.length, size.width])
            x += dense(y, f"{i}.joined")
            y = normed(x, p[f"{i}.norm_2.scale"], p[f"{i}.norm_2.shift"])
            x += dense(tf.nn.gelu(dense(y, f"{i}.up"), approximate=True), f"{i}.down")
        x = normed(x, p["norm.scale"], p["norm.shift"])
        logits = tf.cast(tf.matmul(x, table, transpose_b=True), tf.float32)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(targets, logits)
        return tf.reduce_mean(losses)

    return _trained(gpt2_parameters(size), loss_of, gpt2_data(size))


def _chain_value(x):
    return tf.reduce_sum(tf.tanh(x) * tf.exp(-x * x) + tf.sigmoid(x))


def _chain_gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = _chain_value(x)
    return tape.gradient(y, x)


def chain(size):
    x = tf.constant(chain_data(size))
    gradient = tf.function(_chain_gradient, jit_compile=True)
    return lambda: gradient(x)[0]


def _eager(function, x):
    """Return a step in which value and gradient are wanted, all of it: both are kept."""
    kept = []

    def step():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        kept[:] = y, tape.gradient(y, x)
        return kept[1] if not x.ndim else kept[1][0]

    return step


def eager_chain(size):
    return _eager(_chain_value, tf.constant(chain_data(size)))


def eager_square(size):
    return _eager(lambda x: x**2, tf.constant(3.0))


def eager_mlp(size):
    return mlp(size, compiled=False)


def mlp(size, compiled=True):
    last = len(MLP_SIZES) - 2

    def loss_of(p, x, labels):
        for i in range(last + 1):
            x = tf.matmul(x, p[f"{i}.weights"]) + p[f"{i}.bias"]
            x = x if i == last else tf.nn.relu(x)
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x))

    return _trained(mlp_parameters(), loss_of, mlp_data(), compiled)
