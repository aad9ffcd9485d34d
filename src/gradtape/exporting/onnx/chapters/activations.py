"""Activations of neural networks, and the error function that some are made of."""

from __future__ import annotations

import math

from gradtape.backends.constants import GELU_A, GELU_B, ROOT_HALF
from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.onnx.chapters.elementwise import number, plain
from gradtape.exporting.samples import Op


def _softplus(b: Builder, op: Op, x: str) -> str:
    return b("Softplus", x)


def _relu_grad(b: Builder, op: Op, x: str, g: str) -> str:
    return b("Mul", g, b.cast(b("Greater", x, number(op, 0)), op.dtype()))


def _distribution(b: Builder, op: Op, x: str) -> str:
    """Return the normal distribution function of x."""
    whole = b("Add", b("Erf", b("Mul", x, number(op, ROOT_HALF))), number(op, 1))
    return b("Mul", whole, number(op, 0.5))


def _gelu(b: Builder, op: Op, x: str) -> str:
    return b("Mul", x, _distribution(b, op, x))


def _gelu_grad(b: Builder, op: Op, x: str, g: str) -> str:
    power = b("Exp", b("Mul", b("Mul", x, x), number(op, -0.5)))
    density = b("Mul", b("Mul", x, power), number(op, 1 / math.sqrt(2 * math.pi)))
    return b("Mul", g, b("Add", _distribution(b, op, x), density))


def _gate(b: Builder, op: Op, x: str) -> str:
    inner = b("Add", b("Mul", b("Mul", x, x), number(op, GELU_B)), number(op, GELU_A))
    return b("Sigmoid", b("Mul", x, inner))


def _gelu_tanh(b: Builder, op: Op, x: str) -> str:
    return b("Mul", x, _gate(b, op, x))


def _gelu_tanh_grad(b: Builder, op: Op, x: str, g: str) -> str:
    s = _gate(b, op, x)
    inner = b("Add", b("Mul", b("Mul", x, x), number(op, 3 * GELU_B)), number(op, GELU_A))
    rest = b("Mul", b("Mul", x, s), b("Mul", b("Sub", number(op, 1), s), inner))
    return b("Mul", g, b("Add", s, rest))


ROWS = {
    "sigmoid": plain("Sigmoid"),
    "softplus": _softplus,
    "softsign": plain("Softsign"),
    "relu": plain("Relu"),
    "relu_grad": _relu_grad,
    "elu": lambda b, op, x: b("Elu", x, alpha=float(op["alpha"])),
    "gelu": _gelu,
    "gelu_grad": _gelu_grad,
    "gelu_tanh": _gelu_tanh,
    "gelu_tanh_grad": _gelu_tanh_grad,
    "erf": plain("Erf"),
    "erfc": lambda b, op, x: b("Sub", number(op, 1), b("Erf", x)),
}
