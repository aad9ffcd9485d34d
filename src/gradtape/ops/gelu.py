"""The Gaussian error linear unit, exact and by tanh: one pass forward, one pass back.

x Φ(x), with Φ the normal distribution function; or x s(x) with s = (1 + tanh u) / 2 = sigmoid(2 u)
in its place, where 2 u = x (A + B x²).
"""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.backends.numpy.gelu import ROOT_HALF, A, B
from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.core.primitive import primitive
from gradtape.ops.families import (
    FLOATS,
    batch_elementwise,
    broadcasting,
    check_dtype,
    same_shape,
)

__all__ = ["gelu"]


def _exact_curve(x):
    """The second derivative, by x."""
    square = (ROOT_HALF * x) ** 2
    return 2 * ROOT_HALF / math.sqrt(math.pi) * ops.exp(-square) * (1 - square)


def _tanh_curve(x):
    square = x * x
    s, w = ops.sigmoid(x * (A + B * square)), A + 3 * B * square
    return s * (1 - s) * (2 * w + x * ((1 - 2 * s) * w * w + 6 * B * x))


def _pair(name: str, curve):
    """The function and its slope times a cotangent, which is a primitive as well."""
    slope = primitive(
        f"{name}_grad", "x g",
        shape=broadcasting(f"{name}_grad"), batch=batch_elementwise, broadcasts=True,
        vjp={"x": lambda h, x, g: h * g * curve(x), "g": lambda h, x: bind(slope, (x, h))},
        jvp={"x": lambda t, x, g: t * g * curve(x), "g": lambda t, x: bind(slope, (x, t))},
    )  # fmt: skip
    return primitive(
        name, "x",
        shape=same_shape, batch=batch_elementwise,
        vjp={"x": lambda g, x: bind(slope, (x, g))},
        jvp={"x": lambda t, x: bind(slope, (x, t))},
    )  # fmt: skip


_exact_p, _tanh_p = _pair("gelu", _exact_curve), _pair("gelu_tanh", _tanh_curve)


def gelu(x, approximate: bool = False):
    """x times the normal distribution function of x, or its approximation by tanh."""
    x = to_tensor(x)
    check_dtype("Gelu", FLOATS, x)
    return bind(_tanh_p if approximate else _exact_p, (x,))
