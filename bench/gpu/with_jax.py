"""The programs as JAX users write them: jax.jit of a step whose parameters are donated."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from arrays import ADAM, MLP_SIZES, chain_data, gpt2_data, gpt2_parameters, mlp_data, mlp_parameters

ATTENTION = "cudnn" if jax.default_backend() == "gpu" else "xla"


def wait(value) -> float:
    return float(value)


def _cross_entropy(logits, labels):
    logs = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(logs, labels[..., None], -1))


def _trained(parameters, loss_of, data):
    def step(state, *data):
        p, first, second, steps = state
        loss, gradients = jax.value_and_grad(loss_of)(p, *data)
        beta_1, beta_2 = ADAM["beta_1"], ADAM["beta_2"]
        steps = steps + 1
        rate = ADAM["rate"] * jnp.sqrt(1 - beta_2**steps) / (1 - beta_1**steps)
        first = jax.tree.map(lambda m, g: beta_1 * m + (1 - beta_1) * g, first, gradients)
        second = jax.tree.map(lambda s, g: beta_2 * s + (1 - beta_2) * g * g, second, gradients)
        p = jax.tree.map(
            lambda v, m, s: v - rate * m / (jnp.sqrt(s) + ADAM["epsilon"]), p, first, second
        )
        return (p, first, second, steps), loss

    step = jax.jit(step, donate_argnums=0)
    p = jax.tree.map(jnp.asarray, parameters)
    zeros = jax.tree.map(jnp.zeros_like, p)
    state = (p, zeros, jax.tree.map(jnp.copy, zeros), jnp.float32(0))
    data = [jnp.asarray(array) for array in data]

    def run():
        nonlocal state
        state, loss = step(state, *data)
        return loss

    return run


def gpt2(size):
    def normed(x, scale, shift):
        wide = x.astype(jnp.float32)
        mean = jnp.mean(wide, -1, keepdims=True)
        variance = jnp.mean(jnp.square(wide - mean), -1, keepdims=True)
        return ((wide - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift).astype(x.dtype)

    def loss_of(p, tokens, targets):
        def half(name):
            return p[name].astype(jnp.bfloat16)

        def dense(x, name):
            return x @ half(f"{name}.weights") + half(f"{name}.bias")

        def heads(x):
            return x.reshape(size.batch, size.length, size.heads, size.width // size.heads)

        table = half("tokens")
        x = table[tokens] + half("positions")
        for i in range(size.layers):
            y = normed(x, p[f"{i}.norm_1.scale"], p[f"{i}.norm_1.shift"])
            q, k, v = map(heads, jnp.split(dense(y, f"{i}.qkv"), 3, -1))
            y = jax.nn.dot_product_attention(q, k, v, is_causal=True, implementation=ATTENTION)
            y = y.reshape(size.batch, size.length, size.width)
            x = x + dense(y, f"{i}.joined")
            y = normed(x, p[f"{i}.norm_2.scale"], p[f"{i}.norm_2.shift"])
            x = x + dense(jax.nn.gelu(dense(y, f"{i}.up")), f"{i}.down")
        x = normed(x, p["norm.scale"], p["norm.shift"])
        return _cross_entropy((x @ table.T).astype(jnp.float32), targets)

    return _trained(gpt2_parameters(size), loss_of, gpt2_data(size))


def chain(size):
    x = jnp.asarray(chain_data(size))
    gradient = jax.jit(
        jax.grad(lambda x: jnp.sum(jnp.tanh(x) * jnp.exp(-x * x) + jax.nn.sigmoid(x)))
    )
    return lambda: gradient(x)[0]


def mlp(size):
    last = len(MLP_SIZES) - 2

    def loss_of(p, x, labels):
        for i in range(last + 1):
            x = x @ p[f"{i}.weights"] + p[f"{i}.bias"]
            x = x if i == last else jax.nn.relu(x)
        return _cross_entropy(x, labels)

    return _trained(mlp_parameters(), loss_of, mlp_data())
