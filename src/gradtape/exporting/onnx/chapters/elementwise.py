"""Arithmetic, comparisons, selection and casts, element by element."""

from __future__ import annotations

import math

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op


def plain(name: str):
    """Return the row of an op that ONNX has, too."""
    return lambda b, op, *xs: b(name, *xs)


def number(op: Op, value: float, index: int = 0) -> np.ndarray:
    """Return a number of the dtype of an input."""
    return np.asarray(value, op.dtype(index))


def is_float(op: Op) -> bool:
    return op.dtype().kind in "fV"


def _not_equal(b: Builder, op: Op, x: str, y: str) -> str:
    return b("Not", b("Equal", x, y))


def _divide_no_nan(b: Builder, op: Op, x: str, y: str) -> str:
    zero = number(op, 0)
    return b("Where", b("Equal", y, zero), zero, b("Div", x, y))


def _multiply_no_nan(b: Builder, op: Op, x: str, y: str) -> str:
    zero = number(op, 0)
    return b("Where", b("Equal", y, zero), zero, b("Mul", x, y))


def _power_by(b: Builder, op: Op, x: str) -> str:
    return b("Pow", x, np.asarray(op["exponent"], op.dtype()))


def _cbrt(b: Builder, op: Op, x: str) -> str:
    return b("Mul", b("Sign", x), b("Pow", b("Abs", x), number(op, 1 / 3)))


def _expm1(b: Builder, op: Op, x: str) -> str:
    """Compute 2 sinh(x / 2) exp(x / 2), which loses no digits near 0, as exp(x) - 1 would."""
    half = b("Mul", b("Max", x, number(op, -64)), number(op, 0.5))  # below it is -1
    product = b("Mul", b("Sinh", half), b("Exp", half))
    return b("Mul", product, number(op, 2))


def _log1p(b: Builder, op: Op, x: str) -> str:
    """Compute 2 atanh(x / (x + 2)) near 0, where log(1 + x) would lose digits."""
    near = b("Less", b("Abs", x), number(op, 0.5))
    ratio = b("Div", x, b("Add", x, number(op, 2)))
    inside = b("Where", near, ratio, number(op, 0))
    small = b("Mul", b("Atanh", inside), number(op, 2))
    return b("Where", near, small, b("Log", b("Add", x, number(op, 1))))


def _atan2(b: Builder, op: Op, y: str, x: str) -> str:
    zero = number(op, 0)
    on_axis = b("Equal", x, zero)
    ratio = b("Atan", b("Div", y, b("Where", on_axis, number(op, 1), x)))
    below = b("Less", y, zero)
    turn = b("Where", below, number(op, -math.pi), number(op, math.pi))
    left = b("Less", x, zero)
    angle = b("Where", left, b("Add", ratio, turn), ratio)
    upright = b("Mul", b("Sign", y), number(op, math.pi / 2))
    return b("Where", on_axis, upright, angle)


def _is_finite(b: Builder, op: Op, x: str) -> str:
    return b("Not", b("Or", b("IsNaN", x), b("IsInf", x)))


def _equal(b: Builder, op: Op, x: str, y: str) -> str:
    return b("Equal", x, y)


def _cast(b: Builder, op: Op, x: str) -> str:
    return x if op.dtype() == op.result() else b.cast(x, op.result())


def _negative(b: Builder, op: Op, x: str) -> str:
    return b("Neg", x) if op.dtype().kind != "u" else b("Sub", number(op, 0), x)


ROWS = {
    "add": plain("Add"),
    "subtract": plain("Sub"),
    "multiply": plain("Mul"),
    "divide": plain("Div"),
    "divide_no_nan": _divide_no_nan,
    "multiply_no_nan": _multiply_no_nan,
    "negative": _negative,
    "reciprocal": plain("Reciprocal"),
    "maximum": plain("Max"),
    "minimum": plain("Min"),
    "select": plain("Where"),
    "power": plain("Pow"),
    "power_by": _power_by,
    "square": lambda b, op, x: b("Mul", x, x),
    "sqrt": plain("Sqrt"),
    "cbrt": _cbrt,
    "rsqrt": lambda b, op, x: b("Reciprocal", b("Sqrt", x)),
    "exp": plain("Exp"),
    "expm1": _expm1,
    "log": plain("Log"),
    "log1p": _log1p,
    "sin": plain("Sin"),
    "cos": plain("Cos"),
    "tan": plain("Tan"),
    "asin": plain("Asin"),
    "acos": plain("Acos"),
    "atan": plain("Atan"),
    "sinh": plain("Sinh"),
    "cosh": plain("Cosh"),
    "tanh": plain("Tanh"),
    "asinh": plain("Asinh"),
    "acosh": plain("Acosh"),
    "atanh": plain("Atanh"),
    "atan2": _atan2,
    "abs": plain("Abs"),
    "cast": _cast,
    "cast_to_discrete": _cast,
    "identity": lambda b, op, x: x,
    "stop_gradient": lambda b, op, x: x,
    "equal": _equal,
    "not_equal": _not_equal,
    "less": plain("Less"),
    "less_equal": plain("LessOrEqual"),
    "greater": plain("Greater"),
    "greater_equal": plain("GreaterOrEqual"),
    "is_nan": plain("IsNaN"),
    "is_inf": plain("IsInf"),
    "is_finite": _is_finite,
    "logical_and": plain("And"),
    "logical_or": plain("Or"),
    "logical_not": plain("Not"),
    "bitwise_and": plain("BitwiseAnd"),
    "bitwise_or": plain("BitwiseOr"),
    "bitwise_xor": plain("BitwiseXor"),
    "bitwise_invert": plain("BitwiseNot"),
}
