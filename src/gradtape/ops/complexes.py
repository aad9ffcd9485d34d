"""Complex numbers and their parts.

The gradient of a complex function is the conjugate of its derivative, as in TensorFlow: then
x - rate * gradient is a descent step for losses, which are real functions of complex numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.composites import APPLIERS, apply_to_composites
from gradtape.core.convert import is_tensor_like, to_tensor
from gradtape.core.errors import DTypeError
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.elementwise import abs_p
from gradtape.ops.families import (
    COMPLEX,
    REAL_SCALARS,
    REALS,
    broadcast_shapes,
    elementwise,
    unary_op,
)

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike

__all__ = ["abs", "angle", "complex", "conj", "imag", "real"]


def _part_shape(x: Spec) -> Spec:
    return Spec(x.shape, np.dtype(f"f{x.dtype.itemsize // 2}"))


def _complex_shape(re: Spec, im: Spec) -> Spec:
    shape = broadcast_shapes("Complex", re.shape, im.shape)
    return Spec(shape, np.dtype(f"c{re.dtype.itemsize * 2}"))


complex_p = elementwise(
    "complex",
    "re im",
    shape=_complex_shape,
    vjp={"re": lambda g: real(g), "im": lambda g: imag(g)},
    jvp={
        "re": lambda t: complex(t, ops.zeros_like(t)),
        "im": lambda t: complex(ops.zeros_like(t), t),
    },
)
_PARTS = (np.dtype(np.float32), np.dtype(np.float64))


def complex(real: TensorLike, imag: TensorLike, name: str | None = None) -> Tensor:
    """Return complex numbers with these real and imaginary parts."""
    if is_tensor_like(imag) and not is_tensor_like(real):
        imag = to_tensor(imag)
        real = to_tensor(real, imag.dtype)
    else:
        real = to_tensor(real)
        imag = to_tensor(imag, None if is_tensor_like(imag) else real.dtype)
    if real.dtype is not imag.dtype or real._data.dtype not in _PARTS:
        raise DTypeError(
            f"The `real` and `imag` components have incorrect types: {real.dtype.name} "
            f"{imag.dtype.name}. They must be consistent, and one of [tf.float32, tf.float64]; "
            "convert them with tf.cast. [Op:Complex]"
        )
    return bind(complex_p, (real, imag))


_real = unary_op(
    elementwise(
        "real",
        shape=_part_shape,
        vjp={"x": lambda g, x_dtype: ops.cast(g, x_dtype)},
        jvp="linear",
    ),
    COMPLEX,
)
_imag = unary_op(
    elementwise(
        "imag",
        shape=_part_shape,
        vjp={"x": lambda g: complex(ops.zeros_like(g), g)},
        jvp="linear",
    ),
    COMPLEX,
)
_conj = unary_op(elementwise("conj", vjp={"x": lambda g: conj(g)}, jvp="linear"), COMPLEX)


def _numeric(name: str, x: TensorLike) -> Any:
    x = to_tensor(x)
    if not x.dtype.is_numeric:
        raise TypeError(f"{name}: a numeric tensor is wanted, got one of dtype {x.dtype.name}.")
    return x


def real(x: Tensor, name: str | None = None) -> Any:
    """Return the real part; a real tensor is returned unchanged."""
    x = _numeric("real", x)
    return _real(x) if x._data.dtype.kind == "c" else x


def imag(x: Any, name: str | None = None) -> Any:
    """Return the imaginary part; zeros for a real tensor."""
    x = _numeric("imag", x)
    return _imag(x) if x._data.dtype.kind == "c" else ops.zeros_like(x)


def conj(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the complex conjugate; a real tensor is returned unchanged."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    if type(x._data) in REAL_SCALARS:  # nearly every rule calls this, mostly with these
        return x
    return _conj(x) if x._data.dtype.kind == "c" else _numeric("conj", x)


def angle(x: Tensor, name: str | None = None) -> Tensor:
    """Return the argument of complex numbers; for real ones, 0, or π if they are negative."""
    x = _numeric("angle", x)
    if x._data.dtype.kind == "c":
        return ops.atan2(_imag(x), _real(x))
    return ops.where(ops.less(x, 0), ops.to_tensor(np.pi, x.dtype), 0)


# The direction x / |x| is taken as 0 at 0, as TensorFlow does.
_complex_abs_p = elementwise(
    "complex_abs",
    shape=_part_shape,
    vjp={"x": lambda g, x, ans, x_dtype: ops.cast(ops.divide_no_nan(g, ans), x_dtype) * x},
    jvp={"x": lambda t, x, ans: ops.divide_no_nan(real(conj(x) * t), ans)},
)
_abs_of_real = unary_op(abs_p, REALS)


def abs(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the absolute value elementwise."""
    if type(x) is not Tensor:
        if type(x) in APPLIERS:
            return apply_to_composites("abs", abs, (x,), {})
        x = to_tensor(x)
    return bind(_complex_abs_p, (x,)) if x._data.dtype.kind == "c" else _abs_of_real(x)
