"""Elementwise arithmetic, comparisons, exponentials and the like.

Constants are Python numbers, which take the array's dtype. XLA fuses consecutive ops, so that these
are written for clarity: several steps cost no more than one.
"""

from __future__ import annotations

import operator

import jax.numpy as jnp
from jax import lax

from gradtape.backends.errors import BadValues
from gradtape.backends.xla.kernels.host import only_on_host

# --- powers --------------------------------------------------------------------------------------


def power_by(x, exponent):
    is_integer = jnp.issubdtype(x.dtype, jnp.integer)
    if is_integer and exponent < 0:
        raise BadValues(
            "Pow: Integers to negative integer powers are not allowed: convert them with tf.cast. "
            "[Op:Pow]"
        )
    if exponent == int(exponent):
        return lax.integer_pow(x, int(exponent))
    if abs(exponent) == 0.5:
        if not jnp.issubdtype(x.dtype, jnp.complexfloating):
            # Powers of -0 and -inf are positive, where their roots are not.
            x = jnp.where(x == -jnp.inf, -x, jnp.where(x == 0, 0, x))
        return jnp.sqrt(x) if exponent == 0.5 else 1 / jnp.sqrt(x)
    return jnp.power(x, exponent).astype(x.dtype)


def divide_no_nan(x, y):
    """Return x / y, and 0 where y is 0."""
    is_zero = y == 0
    return jnp.where(is_zero, 0, x / jnp.where(is_zero, 1, y))


def multiply_no_nan(x, y):
    """Return x * y, and 0 where y is 0, whatever x is."""
    return jnp.where(y == 0, 0, x * y)


# --- dtypes --------------------------------------------------------------------------------------


def cast(x, dtype):
    if jnp.issubdtype(x.dtype, jnp.complexfloating) and dtype.kind != "c":
        x = jnp.real(x)
    return x.astype(dtype)


def cast_to_discrete(x, dtype):
    if jnp.issubdtype(x.dtype, jnp.complexfloating):
        x = jnp.real(x)
    return x != 0 if dtype.kind == "b" else x.astype(dtype)


KERNELS = {
    "join_text": only_on_host("join_text", "XLA has no text: it stays on the host"),
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "divide_no_nan": divide_no_nan,
    "multiply_no_nan": multiply_no_nan,
    "negative": operator.neg,
    "reciprocal": lambda x: 1 / x,
    "power": jnp.power,
    "power_by": power_by,
    "square": lambda x: x * x,
    "sqrt": jnp.sqrt,
    "cbrt": jnp.cbrt,
    "rsqrt": lax.rsqrt,
    "exp": jnp.exp,
    "expm1": jnp.expm1,
    "log": jnp.log,
    "log1p": jnp.log1p,
    "sin": jnp.sin,
    "cos": jnp.cos,
    "tan": jnp.tan,
    "asin": jnp.arcsin,
    "acos": jnp.arccos,
    "atan": jnp.arctan,
    "sinh": jnp.sinh,
    "cosh": jnp.cosh,
    "tanh": jnp.tanh,
    "asinh": jnp.arcsinh,
    "acosh": jnp.arccosh,
    "atanh": jnp.arctanh,
    "atan2": jnp.arctan2,
    "abs": jnp.abs,
    "maximum": jnp.maximum,
    "minimum": jnp.minimum,
    "select": jnp.where,
    "cast": cast,
    "cast_to_discrete": cast_to_discrete,
    "identity": lambda x: x,
    "stop_gradient": lambda x: x,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "is_nan": jnp.isnan,
    "is_inf": jnp.isinf,
    "is_finite": jnp.isfinite,
    "logical_and": jnp.logical_and,
    "logical_or": jnp.logical_or,
    "logical_not": jnp.logical_not,
}
