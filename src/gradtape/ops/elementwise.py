"""Arithmetic, comparisons, exponentials and their kin, on each element."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.core.dtypes import as_dtype
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import (
    ANY,
    BOOL,
    COMPLEX,
    FLOATS,
    NUMBERS,
    REALS,
    STRING,
    batch_elementwise,
    binary,
    broadcasting,
    same_shape,
    unary,
    unary_op,
)

_TRUTH = np.dtype(bool)

# --- arithmetic --------------------------------------------------------------------------------

add = binary(
    "add",
    vjp=(lambda g: g, lambda g: g),
    jvp="linear",
    allowed=NUMBERS | STRING,
)
subtract = binary("subtract", vjp=(lambda g: g, lambda g: -g), jvp="linear")
multiply = binary(
    "multiply",
    vjp=(lambda g, y: g * ops.conj(y), lambda g, x: g * ops.conj(x)),
    jvp="multilinear",
)
divide = binary(
    "divide",
    vjp=(lambda g, y: g / ops.conj(y), lambda g, y, ans: -g * ops.conj(ans / y)),
    jvp=(lambda t, y: t / y, lambda t, y, ans: -t * (ans / y)),
    allowed=FLOATS | COMPLEX,
)
negative = unary_op(
    primitive(
        "negative", "x", shape=same_shape, vjp={"x": lambda g: -g}, jvp="linear",
        batch=batch_elementwise,
    ),
    NUMBERS,
)  # fmt: skip

# --- choice ------------------------------------------------------------------------------------


def _share(chosen) -> Any:
    """0 or 1: which operand a maximum came from. Equal operands: x takes all, as TensorFlow."""
    return lambda g, x, y: ops.where(chosen(x, y), g, ops.zeros_like(g))


maximum = binary(
    "maximum",
    vjp=(_share(lambda x, y: x >= y), _share(lambda x, y: x < y)),
    jvp=(_share(lambda x, y: x >= y), _share(lambda x, y: x < y)),
    allowed=REALS,
)
minimum = binary(
    "minimum",
    vjp=(_share(lambda x, y: x <= y), _share(lambda x, y: x > y)),
    jvp=(_share(lambda x, y: x <= y), _share(lambda x, y: x > y)),
    allowed=REALS,
)

select_p = primitive(
    "select", "condition x y",
    shape=broadcasting("select"),
    vjp={
        "condition": NoDerivative("the condition of `where` is true or false, not a number"),
        "x": lambda g, condition: ops.where(condition, g, ops.zeros_like(g)),
        "y": lambda g, condition: ops.where(condition, ops.zeros_like(g), g),
    },
    jvp={
        "condition": NoDerivative("the condition of `where` is true or false, not a number"),
        "x": lambda t, condition: ops.where(condition, t, ops.zeros_like(t)),
        "y": lambda t, condition: ops.where(condition, ops.zeros_like(t), t),
    },
    batch=batch_elementwise,
    broadcasts=True,
)  # fmt: skip


def where(condition, x, y):
    """x where the condition holds, y elsewhere."""
    x, y = ops.operands("SelectV2", x, y)
    return bind(select_p, (to_tensor(condition), x, y))


# --- powers, exponentials, logarithms ------------------------------------------------------------


def _power_y(g, x, ans):
    """d(x**y)/dy = x**y log x, and 0 where x <= 0 (the limit at 0, undefined below)."""
    safe = x != 0 if x.dtype.is_complex else x > 0
    log_x = ops.where(safe, ops.log(ops.where(safe, x, ops.ones_like(x))), ops.zeros_like(x))
    return g * ops.conj(ans * log_x)


pow = binary(
    "power",
    vjp=(lambda g, x, y: g * ops.conj(y * x ** (y - 1)), _power_y),
)
square = unary("square", d=lambda x: 2 * x, allowed=NUMBERS)
# At 0 the slope is infinite, as TensorFlow's; `0 * inf` is the nan that `explain` points to.
sqrt = unary("sqrt", d=lambda ans: 0.5 / ans)
rsqrt = unary("rsqrt", d=lambda x, ans: -0.5 * ans / x)
exp = unary("exp", d=lambda ans: ans)
expm1 = unary("expm1", d=lambda ans: ans + 1)
log = unary("log", d=lambda x: 1 / x)
log1p = unary("log1p", d=lambda x: 1 / (1 + x))
sin = unary("sin", d=lambda x: ops.cos(x))
cos = unary("cos", d=lambda x: -ops.sin(x))
tanh = unary("tanh", d=lambda ans: 1 - ans * ans)
sigmoid = unary("sigmoid", d=lambda ans: ans * (1 - ans))
softplus = unary("softplus", d=lambda x: ops.sigmoid(x), allowed=FLOATS)
abs = unary("abs", d=lambda x: ops.sign(x), allowed=REALS)
sign = unary("sign", d=NoDerivative("constant on each side of 0"), allowed=NUMBERS)

# relu has its own rule, rather than maximum's: one multiplication less. At 0 the gradient is 0.
relu = unary_op(
    primitive(
        "relu", "x", shape=same_shape, batch=batch_elementwise,
        vjp={"x": lambda g, ans: relu_grad(ans, g)},
        jvp={"x": lambda t, ans: relu_grad(ans, t)},
    ),
    REALS,
)  # fmt: skip
relu_grad_p = primitive(
    "relu_grad", "x g", shape=broadcasting("relu_grad"), batch=batch_elementwise,
    vjp={"x": NoDerivative("constant on each side of 0"), "g": lambda g, x: relu_grad(x, g)},
    jvp={"x": NoDerivative("constant on each side of 0"), "g": lambda t, x: relu_grad(x, t)},
)  # fmt: skip


def relu_grad(x, g):
    """g where x > 0, else 0."""
    return bind(relu_grad_p, (x, g))


# --- complex parts -------------------------------------------------------------------------------

_conj = unary_op(
    primitive(
        "conj", "x", shape=same_shape, vjp={"x": lambda g: ops.conj(g)}, jvp="linear",
        batch=batch_elementwise,
    ),
    COMPLEX,
)  # fmt: skip


def conj(x, name=None):
    """The complex conjugate; a real tensor is its own."""
    x = to_tensor(x)
    return _conj(x) if x._data.dtype.kind == "c" else x


_real = unary_op(
    primitive(
        "real", "x",
        shape=lambda x: Spec(x.shape, np.dtype(f"f{x.dtype.itemsize // 2}")),
        vjp={"x": lambda g, x_dtype: ops.cast(g, x_dtype)},
        jvp="linear",
        batch=batch_elementwise,
    ),
    COMPLEX,
)  # fmt: skip


def real(x, name=None):
    """The real part; of a real tensor, itself."""
    x = to_tensor(x)
    return _real(x) if x._data.dtype.kind == "c" else x


# --- dtype and identity --------------------------------------------------------------------------


def _cast_shape(x: Spec, dtype) -> Spec:
    return Spec(x.shape, dtype)


cast_p = primitive(
    "cast", "x",
    shape=_cast_shape,
    vjp={"x": lambda g, x_dtype: ops.cast(g, x_dtype)},
    jvp="linear",
    batch=batch_elementwise,
)  # fmt: skip
cast_to_discrete_p = primitive(
    "cast_to_discrete", "x",
    shape=_cast_shape,
    no_derivative="the result is of an integer or bool dtype, which has no derivative",
    batch=batch_elementwise,
)  # fmt: skip


def cast(x, dtype, name=None):
    """x with its elements converted to `dtype`; only inexact dtypes carry gradients."""
    x, dtype = to_tensor(x), as_dtype(dtype)
    if x.dtype is dtype:
        return x
    prim = cast_p if dtype.is_differentiable else cast_to_discrete_p
    return bind(prim, (x,), {"dtype": dtype.dtype})


identity = unary_op(
    primitive(
        "identity", "x", shape=same_shape, vjp={"x": lambda g: g}, jvp="linear",
        batch=batch_elementwise,
    ),
    ANY,
)  # fmt: skip
stop_gradient = unary("stop_gradient", d=NoDerivative("stop_gradient was asked for"), allowed=ANY)

# --- comparisons and logic -----------------------------------------------------------------------

_TRUTH_VALUE = NoDerivative("a comparison gives true or false, not a number")

equal = binary("equal", _TRUTH_VALUE, allowed=ANY, result=_TRUTH)
not_equal = binary("not_equal", _TRUTH_VALUE, allowed=ANY, result=_TRUTH)
less = binary("less", _TRUTH_VALUE, allowed=REALS, result=_TRUTH)
less_equal = binary("less_equal", _TRUTH_VALUE, allowed=REALS, result=_TRUTH)
greater = binary("greater", _TRUTH_VALUE, allowed=REALS, result=_TRUTH)
greater_equal = binary("greater_equal", _TRUTH_VALUE, allowed=REALS, result=_TRUTH)
logical_and = binary("logical_and", _TRUTH_VALUE, allowed=BOOL)
logical_or = binary("logical_or", _TRUTH_VALUE, allowed=BOOL)
logical_not = unary("logical_not", _TRUTH_VALUE, allowed=BOOL)
