"""Activations of neural networks: see `gradtape.ops.activations`."""

from __future__ import annotations

import numpy as np

from gradtape.backends.numpy.elementwise import select
from gradtape.backends.precision import in_float32


@in_float32
def sigmoid(x):
    if x.dtype.kind == "c":
        # 1 / (1 + exp(-x)) would divide infinities here; tanh saturates.
        return (1 + np.tanh(x / 2)) / 2
    e = np.exp(-x)
    if isinstance(e, np.ndarray):
        e += 1
        return np.divide(1, e, out=e)
    return 1 / (1 + e)


@in_float32
def softsign(x):
    return x / (1 + np.abs(x))


@in_float32
def softplus(x):
    """Compute log(1 + exp(x)) without overflow or loss of digits."""
    return np.maximum(x, 0) + np.log1p(np.exp(-abs(x)))


@in_float32
def elu(x, alpha):
    return select(x < 0, x.dtype.type(alpha) * np.expm1(np.minimum(x, 0)), x)


def relu(x):
    if isinstance(x, np.ndarray):
        return np.maximum(x, 0)
    return x if x > 0 or x != x else type(x)(0)


def relu_grad(x, g):
    """Return g * (x > 0): as in TensorFlow, 0 at 0, and nan where x <= 0 and g is inf."""
    return g * (x > 0)


KERNELS = {
    "sigmoid": sigmoid,
    "softplus": softplus,
    "softsign": softsign,
    "elu": elu,
    "relu": relu,
    "relu_grad": relu_grad,
}
