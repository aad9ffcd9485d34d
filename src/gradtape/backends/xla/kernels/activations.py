"""Activations of neural networks: see `gradtape.ops.activations`."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from gradtape.backends.precision import in_float32


@in_float32
def sigmoid(x):
    if jnp.issubdtype(x.dtype, jnp.complexfloating):
        # 1 / (1 + exp(-x)) would divide infinities here; tanh saturates.
        return (1 + jnp.tanh(x / 2)) / 2
    return lax.logistic(x)


@in_float32
def softplus(x):
    """Compute log(1 + exp(x)) without overflow or loss of digits."""
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@in_float32
def softsign(x):
    return x / (1 + jnp.abs(x))


@in_float32
def elu(x, alpha):
    return jnp.where(x < 0, alpha * jnp.expm1(jnp.minimum(x, 0)), x)


def relu_grad(x, g):
    """Return g * (x > 0): as in TensorFlow, 0 at 0; a product, which keeps a nan of g."""
    return g * (x > 0).astype(g.dtype)


KERNELS = {
    "sigmoid": sigmoid,
    "softplus": softplus,
    "softsign": softsign,
    "elu": elu,
    "relu": lambda x: jnp.maximum(x, 0),
    "relu_grad": relu_grad,
}
