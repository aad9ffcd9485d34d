"""Bitwise operations on integers, and reinterpretation of bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.core.dtypes import as_dtype, from_numpy
from gradtape.core.errors import DTypeError, ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import INTEGERS, NUMBERS, binary, check_dtype, unary

if TYPE_CHECKING:
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import DTypeLike, TensorLike

__all__ = [
    "bitcast",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
]

_BITS = NoDerivative("an operation on the bits of integers")

bitwise_and = binary("bitwise_and", _BITS, allowed=INTEGERS)
bitwise_or = binary("bitwise_or", _BITS, allowed=INTEGERS)
bitwise_xor = binary("bitwise_xor", _BITS, allowed=INTEGERS)
bitwise_invert = unary("bitwise_invert", _BITS, allowed=INTEGERS)
# The distance is clipped to [0, number of bits - 1], as TensorFlow does.
left_shift = binary("left_shift", _BITS, allowed=INTEGERS)
right_shift = binary("right_shift", _BITS, allowed=INTEGERS)


def _bitcast_shape(x: Spec, dtype: np.dtype) -> Spec:
    ratio = x.dtype.itemsize / dtype.itemsize
    if ratio > 1:
        return Spec((*x.shape, int(ratio)), dtype)
    if ratio == 1:
        return Spec(x.shape, dtype)
    wanted = int(1 / ratio)
    if x.shape[-1:] != (wanted,):
        raise ShapeError(
            f"Bitcast: Cannot bitcast from {x} to {from_numpy(dtype).name}: the last axis must "
            f"have size {wanted}, the number of elements that make one of the result. [Op:Bitcast]"
        )
    return Spec(x.shape[:-1], dtype)


bitcast_p = primitive(
    "bitcast",
    "x",
    family="view",
    shape=_bitcast_shape,
    no_derivative="it reads the same bits as another dtype, which is no function of the number",
    batch=lambda prim, size, batched, inputs, params: bind(prim, inputs, params),
)


def bitcast(x: TensorLike, dtype: DTypeLike) -> Tensor:
    """Reinterpret the bits of x as another dtype; a last axis makes up for different sizes."""
    x, dtype = to_tensor(x), as_dtype(dtype)
    check_dtype("Bitcast", NUMBERS, x)
    if dtype.dtype not in NUMBERS:
        raise DTypeError(f"Bitcast: cannot read bits as {dtype.name}. [Op:Bitcast]")
    _bitcast_shape(x._spec(), dtype.dtype)
    return bind(bitcast_p, (x,), {"dtype": dtype.dtype})
