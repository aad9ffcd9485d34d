"""Rounding, signs, and the divisions that round."""

from __future__ import annotations

from gradtape import ops
from gradtape.core.convert import ON_VALUES, to_tensor
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.ops.families import (
    FLOATS,
    NUMBERS,
    REALS,
    batch_elementwise,
    binary,
    same_shape,
    unary,
    unary_op,
)

__all__ = [
    "ceil", "floor", "floordiv", "floormod", "nextafter", "round", "sign", "trunc", "truncatediv",
    "truncatemod",
]  # fmt: skip

_STEPS = NoDerivative("a step function: constant between its jumps")

floor = unary("floor", _STEPS, allowed=FLOATS)
ceil = unary("ceil", _STEPS, allowed=FLOATS)
trunc = unary("trunc", _STEPS, allowed=FLOATS)
_round_float = unary("round", _STEPS, allowed=FLOATS)


def round(x, name=None):
    """The nearest whole number; halves go to the even one. Integers are themselves."""
    x = to_tensor(x)
    return x if x.dtype.is_integer else _round_float(x)


# Unlike the other step functions this has the derivative 0, rather than none, in TensorFlow.
_sign_of_real = unary_op(
    primitive(
        "sign", "x", shape=same_shape, batch=batch_elementwise,
        vjp={"x": lambda g: ops.zeros_like(g)},
        jvp={"x": lambda t: ops.zeros_like(t)},
    ),
    NUMBERS,
)  # fmt: skip


def sign(x, name=None):
    """-1, 0 or 1; of a complex number, the number of length 1 in its direction (0 at 0)."""
    if type(x) in ON_VALUES:
        return ON_VALUES[type(x)](x, "sign", sign)
    x = to_tensor(x)
    if x.dtype.is_complex:
        return ops.divide_no_nan(x, ops.cast(ops.abs(x), x.dtype))
    return _sign_of_real(x)


floordiv = binary("floordiv", _STEPS, allowed=REALS)
floormod = binary(
    "floormod",
    vjp=(lambda g: g, lambda g, x, y: -g * floordiv(x, y)),
    jvp=(lambda t: t, lambda t, x, y: -t * floordiv(x, y)),
    allowed=REALS,
)
truncatediv = binary("truncatediv", _STEPS, allowed=REALS)
truncatemod = binary(
    "truncatemod",
    vjp=(lambda g: g, lambda g, x, y: -g * truncatediv(x, y)),
    jvp=(lambda t: t, lambda t, x, y: -t * truncatediv(x, y)),
    allowed=REALS,
)
# A step of the smallest size: x, as far as a derivative can tell.
nextafter = binary(
    "nextafter",
    vjp=(lambda g: g, lambda g: ops.zeros_like(g)),
    jvp=(lambda t: t, lambda t, ans: ops.zeros_like(ans)),
    allowed=frozenset(d for d in FLOATS if d.itemsize >= 4),
)
