"""The Gaussian error linear unit and its slope times a cotangent."""

from __future__ import annotations

import math

import jax.numpy as jnp
import jax.scipy.special as special

from gradtape.backends.constants import GELU_A as A
from gradtape.backends.constants import GELU_B as B
from gradtape.backends.constants import ROOT_HALF
from gradtape.backends.xla.kernels.activations import sigmoid
from gradtape.backends.xla.kernels.special import in_dtype


@in_dtype
def gelu(x):
    return x * special.erfc(-ROOT_HALF * x) / 2


@in_dtype
def gelu_grad(x, g):
    y = ROOT_HALF * x
    return g * (special.erfc(-y) / 2 + y / math.sqrt(math.pi) * jnp.exp(-y * y))


@in_dtype
def gelu_tanh(x):
    return x * sigmoid(x * (A + B * (x * x)))


@in_dtype
def gelu_tanh_grad(x, g):
    square = x * x
    s = sigmoid(x * (A + B * square))
    return g * (s + x * s * (1 - s) * (A + 3 * B * square))


KERNELS = {
    "gelu": gelu,
    "gelu_grad": gelu_grad,
    "gelu_tanh": gelu_tanh,
    "gelu_tanh_grad": gelu_tanh_grad,
}
