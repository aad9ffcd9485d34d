"""The Gaussian error linear unit and its slope times a cotangent."""

from __future__ import annotations

import math

import jax.numpy as jnp
import jax.scipy.special as special
from jax import lax

from gradtape.backends.constants import GELU_A as A
from gradtape.backends.constants import GELU_B as B
from gradtape.backends.constants import ROOT_HALF
from gradtape.backends.precision import is_half
from gradtape.backends.xla.kernels.activations import sigmoid
from gradtape.backends.xla.kernels.special import in_dtype

# Φ(-t) exp(t²/2) = s (c₀ + c₁ s + …) with s = 1 / (1 + P t), for t ≥ 0: within 2e-5 of it, which
# 16 bits do not see. With erfc, a GPU computes for longer than it reads and writes.
_P = 0.47
_TAIL = (0.1874492, 0.1892261, 0.1276185, 0.1507113, -0.2275009, 0.07248933)


def _distribution(x, s, bell):
    """Return Φ(x), given s of |x| and exp(-x²/2)."""
    series = jnp.polyval(jnp.asarray(_TAIL[::-1], x.dtype), s)
    tail = bell * s * series
    return jnp.where(x < 0, tail, 1 - tail)


# The two kernels for 16-bit floats write s and exp(-x²/2) in different ways. If they were equal
# expressions, XLA would compute them once and keep them, in float32, for the backward pass.


@in_dtype
def _half_gelu(x):
    root = lax.rsqrt(1 + _P * jnp.abs(x))
    return x * _distribution(x, root * root, jnp.exp(-0.5 * x * x))


@in_dtype
def _half_gelu_grad(x, g):
    y = ROOT_HALF * x
    bell = jnp.exp(-(y * y))
    slope = _distribution(x, 1 / (1 + _P / ROOT_HALF * jnp.abs(y)), bell)
    return g * (slope + ROOT_HALF / math.sqrt(math.pi) * x * bell)


@in_dtype
def _exact_gelu(x):
    return x * special.erfc(-ROOT_HALF * x) / 2


@in_dtype
def _exact_gelu_grad(x, g):
    y = ROOT_HALF * x
    return g * (special.erfc(-y) / 2 + y / math.sqrt(math.pi) * jnp.exp(-y * y))


def gelu(x):
    return (_half_gelu if is_half(x.dtype) else _exact_gelu)(x)


def gelu_grad(x, g):
    return (_half_gelu_grad if is_half(x.dtype) else _exact_gelu_grad)(x, g)


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
