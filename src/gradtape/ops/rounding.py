"""Rounding, signs, and divisions that round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradtape import ops
from gradtape.core.composites import APPLIERS, apply_to_composites
from gradtape.core.convert import to_tensor
from gradtape.core.primitive import NoDerivative
from gradtape.ops.families import (
    FLOATS,
    NUMBERS,
    REALS,
    binary,
    unary,
)

if TYPE_CHECKING:
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import TensorLike

__all__ = [
    "ceil",
    "floor",
    "floordiv",
    "floormod",
    "nextafter",
    "round",
    "sign",
    "trunc",
    "truncatediv",
    "truncatemod",
]

_STEPS = NoDerivative("a step function: constant between its jumps")


def _steps_of(function: str) -> NoDerivative:
    passing = f"tf.grad_pass_through({function})(x)"
    return NoDerivative(_STEPS.reason, f"Let the gradient pass as if it were not there: {passing}.")


floor = unary("floor", _steps_of("tf.floor"), allowed=FLOATS)
ceil = unary("ceil", _steps_of("tf.math.ceil"), allowed=FLOATS)
trunc = unary("trunc", _STEPS, allowed=FLOATS)
_round_float = unary("round", _steps_of("tf.round"), allowed=FLOATS)


def round(x: TensorLike, name: str | None = None) -> Tensor:
    """Round to the nearest integer, halves to even. Integers are returned unchanged."""
    x = to_tensor(x)
    return x if x.dtype.is_integer else _round_float(x)


# Unlike the other step functions this has the derivative 0, rather than none, in TensorFlow.
_sign_of_real = unary("sign", d=lambda t: ops.zeros_like(t), allowed=NUMBERS)


def sign(x: TensorLike, name: str | None = None) -> Tensor:
    """Return -1, 0 or 1; for a complex number, x / |x| (0 at 0)."""
    if type(x) in APPLIERS:
        return apply_to_composites("sign", sign, (x,), {})
    x = to_tensor(x)
    if x.dtype.is_complex:
        return ops.divide_no_nan(x, ops.cast(ops.abs(x), x.dtype))
    return _sign_of_real(x)


floordiv = binary("floordiv", _STEPS, allowed=REALS)
floormod = binary(
    "floormod",
    d=(lambda t: t, lambda x, y: -floordiv(x, y)),
    allowed=REALS,
)
truncatediv = binary("truncatediv", _STEPS, allowed=REALS)
truncatemod = binary(
    "truncatemod",
    d=(lambda t: t, lambda x, y: -truncatediv(x, y)),
    allowed=REALS,
)
# A step of the smallest size: x, as far as a derivative can tell.
nextafter = binary(
    "nextafter",
    d=(lambda t: t, lambda t: ops.zeros_like(t)),
    allowed=frozenset(d for d in FLOATS if d.itemsize >= 4),
)
