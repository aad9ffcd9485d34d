"""JAX: everything under `jax.jit`, with parameters updated in place (donated)."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

EPSILON = 1e-5


class Library:
    """The operations in JAX's terms."""

    def __init__(self, name: str, form: str) -> None:
        self.name, self.form = name, form
        self.version = jax.__version__
        self.sin, self.exp, self.tanh, self.sigmoid = jnp.sin, jnp.exp, jnp.tanh, jax.nn.sigmoid
        self.relu, self.softplus, self.softmax = jax.nn.relu, jax.nn.softplus, jax.nn.softmax
        self.sum, self.mean, self.square = jnp.sum, jnp.mean, jnp.square
        self.reshape, self.transpose = jnp.reshape, jnp.transpose
        self.matmul = jnp.matmul

    def constant(self, array: np.ndarray):
        return jnp.asarray(array)

    image = parameter = kernel = image_parameter = constant

    def numpy(self, x) -> np.ndarray:
        return np.asarray(x)

    def take(self, table, indices):
        return table[indices]

    def gelu(self, x):
        return jax.nn.gelu(x, approximate=True)

    def cross_entropy(self, logits, labels):
        picked = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1)
        return -jnp.mean(picked)

    def layer_norm(self, x, scale, shift):
        mean, variance = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
        return (x - mean) * lax.rsqrt(variance + EPSILON) * scale + shift

    def batch_norm(self, x, scale, shift):
        mean, variance = jnp.mean(x, (0, 1, 2)), jnp.var(x, (0, 1, 2))
        return (x - mean) * (lax.rsqrt(variance + EPSILON) * scale) + shift

    def conv(self, x, kernel, padding: str):
        layout = ("NHWC", "HWIO", "NHWC")
        return lax.conv_general_dilated(x, kernel, (1, 1), padding, dimension_numbers=layout)

    def max_pool(self, x):
        window = (1, 2, 2, 1)
        return lax.reduce_window(x, -jnp.inf, lax.max, window, window, "VALID")

    def flat(self, x):
        return x.reshape(x.shape[0], -1)

    def attention(self, q, k, v, causal: bool):
        scores = q @ jnp.swapaxes(k, -1, -2) * (1 / np.sqrt(q.shape[-1]))
        if causal:
            length = q.shape[-2]
            scores = scores + np.triu(np.full((length, length), -1e9, np.float32), 1)
        return jax.nn.softmax(scores) @ v

    def lstm(self, x, kernel, recurrent, bias):
        zeros = jnp.zeros((x.shape[0], recurrent.shape[0]))

        def cell(state, step):
            h, c = state
            i, f, g, o = jnp.split(step + h @ recurrent, 4, axis=1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

        inputs = jnp.swapaxes(x @ kernel + bias, 0, 1)
        (h, _), _ = lax.scan(cell, (zeros, zeros), inputs)
        return h

    def gradients(self, function, parameters, *data):
        gradient = jax.jit(jax.grad(function))
        return lambda: jax.block_until_ready(gradient(parameters, *data))

    def train(self, loss, parameters, rate: float, *data):
        def update(parameters, *data):
            value, gradients = jax.value_and_grad(loss)(parameters, *data)
            return value, [p - rate * g for p, g in zip(parameters, gradients, strict=True)]

        update = jax.jit(update, donate_argnums=0)
        state = [list(parameters)]

        def step():
            value, state[0] = jax.block_until_ready(update(state[0], *data))
            return value

        return step

    def scalar(self, function, at: float):
        x, derivative = jnp.asarray(at), jax.jit(jax.grad(function))
        return lambda: derivative(x).block_until_ready()

    def loop(self, body, count: int):
        def run(x):
            return lax.scan(lambda y, _: (body(y, x), None), x, length=count)[0]

        return run

    def sparse_train(self, loss, table, rate: float, indices, *data):
        def update(table, indices, *data):
            # Differentiated by the rows, not by the table: the gradient stays as small as they are.
            value, rows = jax.value_and_grad(loss)(table[indices], *data)
            return value, table.at[indices].add(-rate * rows)

        update = jax.jit(update, donate_argnums=0)
        state = [table]

        def step():
            value, state[0] = jax.block_until_ready(update(state[0], indices, *data))
            return value

        return step

    def adam(self, parameters, gradients, rate: float):
        def update(state, gradients):
            parameters, means, squares, count = state
            count = count + 1
            scale = rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
            means = [m + (g - m) * 0.1 for m, g in zip(means, gradients, strict=True)]
            squares = [v + (g * g - v) * 0.001 for v, g in zip(squares, gradients, strict=True)]
            parameters = [
                p - m * scale / (jnp.sqrt(v) + 1e-7)
                for p, m, v in zip(parameters, means, squares, strict=True)
            ]
            return parameters, means, squares, count

        update = jax.jit(update, donate_argnums=0)
        zeros = [jnp.zeros_like(p) for p in parameters], [jnp.zeros_like(p) for p in parameters]
        state = [(list(parameters), *zeros, jnp.float32(0))]

        def step():
            state[0] = jax.block_until_ready(update(state[0], gradients))
            return state[0][0][0]

        return step

    def jacobian(self, function, at: np.ndarray):
        x, jacobian = jnp.asarray(at), jax.jit(jax.jacrev(function))
        return lambda: jacobian(x).block_until_ready()

    def hessian(self, function, at: np.ndarray):
        x, hessian = jnp.asarray(at), jax.jit(jax.hessian(function))
        return lambda: hessian(x).block_until_ready()
